import { connect, holdLease } from '@policy-machinery/cluster';

/** A process that takes a lease and keeps it. Writes `held` or `not held` to standard output, each time that its answer is another one. */
const [kubeconfig = '', namespace = '', name = '', identity = ''] = process.argv.slice(2);
const lease = holdLease(await connect({ kubeconfig }), { namespace, name, identity });
let last: boolean | undefined;
setInterval(() => {
  const isHeld = lease.isHeld();
  if (isHeld !== last) process.stdout.write(isHeld ? 'held\n' : 'not held\n');
  last = isHeld;
}, 20);
