export * from "./accelerators";
export * from "./addons";
export * from "./cluster";
export * from "./pools";
