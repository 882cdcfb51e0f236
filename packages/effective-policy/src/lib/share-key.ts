import type { PolicyShare } from './policy-share.ts';

const keys = new WeakMap<PolicyShare<unknown>, string>();

/** All that there is to say of what became of a policy in a scope, as a text to compare by. */
export function shareKey(share: PolicyShare<unknown>): string {
  const known = keys.get(share);
  if (known !== undefined) return known;
  const { outcome, contributes, losses, issues } = share;
  const key = JSON.stringify([
    outcome,
    contributes,
    losses.map(({ layer, pointer, to, strategy, dialectName, rule }) => [
      layer.stanza,
      pointer,
      strategy,
      dialectName,
      rule,
      to.map(({ policy, stanza, level }) => [policy.locator, stanza, level.target.locator]),
    ]),
    issues.map(({ code, message, pointer }) => [code, message, pointer]),
  ]);
  keys.set(share, key);
  return key;
}
