import { type PodRule, rulesFor, type Tiers } from './pod-rules.ts';
import type { Direction } from './rule-schema.ts';
import type { Traffic } from './traffic.ts';

/** The decision about traffic at one of its ends. */
export interface Verdict {
  readonly allowed: boolean;
  /** The rule that decides; absent if no rule matches, which allows the traffic. */
  readonly decidedBy: PodRule | undefined;
  /** The rule with which AdminNetworkPolicies pass the decision on. */
  readonly passedBy: PodRule | undefined;
  /** The other rules that match, but come later or were passed over, and would have decided differently. */
  readonly beaten: readonly PodRule[];
}

/** The decision about traffic, which must be allowed at both ends. */
export interface Answer extends Readonly<Record<Direction, Verdict>> {
  readonly allowed: boolean;
}

/** Returns whether one Pod may talk to another, and which rules decide. */
export function mayTalk(traffic: Traffic, tiers: Tiers): Answer {
  const egress = decide(rulesFor(traffic.from, 'egress', tiers), traffic);
  const ingress = decide(rulesFor(traffic.to, 'ingress', tiers), traffic);
  return { allowed: egress.allowed && ingress.allowed, egress, ingress };
}

/** Applies the rules: the first rule that matches decides, and a rule that passes leaves the decision to the tiers below its own. */
function decide(rules: readonly PodRule[], traffic: Traffic): Verdict {
  const matching = rules.filter((rule) => rule.matches(traffic));
  const [first] = matching;
  const passedBy = first?.action === 'Pass' ? first : undefined;
  const decidedBy = passedBy === undefined ? first : matching.find(({ tier }) => tier !== passedBy.tier);
  const allowed = decidedBy?.action !== 'Deny';
  const otherwise = allowed ? 'Deny' : 'Allow';
  return { allowed, decidedBy, passedBy, beaten: matching.filter(({ action }) => action === otherwise) };
}
