export * from "./accelerators";
export * from "./cluster";
export * from "./pools";
