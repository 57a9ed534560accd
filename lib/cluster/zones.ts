/** Name of an Availability Zone, Local Zone or Wavelength Zone. */
const ZONE = /^([a-z]{2,}(?:-[a-z]+)+-\d+)([a-z]|(-[a-z0-9]+)+-\d+[a-z]?)$/;

export function isZoneName(text: string): boolean {
  return ZONE.test(text);
}

/** Whether it is a zone of a region itself, where control planes and load balancers can be, not one at its edge. */
export function isAvailabilityZone(zone: string): boolean {
  return ZONE.exec(zone)?.[2].length === 1;
}

/** The region that a zone belongs to: `us-east-1` for us-east-1a, `us-west-2` for us-west-2-lax-1a. */
export function regionOf(zone: string): string {
  return ZONE.exec(zone)?.[1] ?? zone;
}
