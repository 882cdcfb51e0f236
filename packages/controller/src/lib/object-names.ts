/** Returns the name of a controller as an object's name: `timeouts.example.com-controller`. */
export function objectNameOf(controller: string): string {
  return controller.toLowerCase().replaceAll(/[^a-z0-9.-]/g, '-');
}

/** Returns the options of a lease with its name. Default: the name of the controller. */
export function leaseOf<Lease extends { readonly name?: string }>(
  controller: string,
  lease: Lease,
): Lease & { readonly name: string } {
  return { ...lease, name: lease.name ?? objectNameOf(controller) };
}
