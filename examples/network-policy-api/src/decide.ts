import { type PodRule, rulesFor, type Tiers } from './pod-rules.ts';
import type { Direction } from './rule-schema.ts';
import type { Traffic } from './traffic.ts';

/** What becomes of traffic at one of its ends. */
export interface Verdict {
  readonly allowed: boolean;
  /** The rule that decides; none where no rule matches, which allows. */
  readonly decidedBy: PodRule | undefined;
  /** The rule that made AdminNetworkPolicies pass the decision on. */
  readonly passedBy: PodRule | undefined;
  /** The rules that match as well, come too late or were passed over, and would have decided otherwise. */
  readonly beaten: readonly PodRule[];
}

/** What becomes of traffic: it must be allowed at both ends. */
export interface Answer extends Readonly<Record<Direction, Verdict>> {
  readonly allowed: boolean;
}

/** Whether one Pod may talk to another, and which rules say so. */
export function mayTalk(traffic: Traffic, tiers: Tiers): Answer {
  const egress = decide(rulesFor(traffic.from, 'egress', tiers), traffic);
  const ingress = decide(rulesFor(traffic.to, 'ingress', tiers), traffic);
  return { allowed: egress.allowed && ingress.allowed, egress, ingress };
}

/** The first rule that matches decides; one that passes hands over to the tiers beneath its own. */
function decide(rules: readonly PodRule[], traffic: Traffic): Verdict {
  const matching = rules.filter((rule) => rule.matches(traffic));
  const [first] = matching;
  const passedBy = first?.action === 'Pass' ? first : undefined;
  const decidedBy = passedBy === undefined ? first : matching.find(({ tier }) => tier !== passedBy.tier);
  const allowed = decidedBy?.action !== 'Deny';
  const otherwise = allowed ? 'Deny' : 'Allow';
  return { allowed, decidedBy, passedBy, beaten: matching.filter(({ action }) => action === otherwise) };
}
