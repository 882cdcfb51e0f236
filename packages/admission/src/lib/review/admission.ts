// review/: the webhook. Takes AdmissionReviews, as values or as requests of the Fetch API, and answers them from a trial of live effective policies.
// A failure here never blocks a change: the change is allowed with one warning, and the failure is counted.

import { createTrial, type EffectivePolicies, type Trial } from '@policy-machinery/effective-policy';
import { groupKindKey } from '@policy-machinery/resource';
import type { AdmissionReviewRequest, AdmissionReviewResponse } from '../answer/admission-envelope.ts';
import { answerTo } from '../answer/review-admission.ts';
import type { AdmissionSettings } from './admission-options.ts';
import { BodyBudget } from './body-budget.ts';
import { CatchUp } from './catch-up.ts';
import { GuaranteeReview } from './guarantee-review.ts';
import { handleRequest } from './handle-request.ts';
import { AdmissionMetrics } from './instruments.ts';
import { Turns } from './turns.ts';
import { webhookPath } from './webhook-path.ts';
import { unreviewed, withoutNames } from './without-names.ts';

/** Facts about the sender of a request. */
export interface Sender {
  /** Whether the sender has proved to be the API server. Default: it has not. */
  readonly isApiServer?: boolean;
}

/** Answers admission requests. Made with `createAdmission`. */
export class Admission {
  readonly #settings: AdmissionSettings;
  readonly #trial: Trial<readonly EffectivePolicies<unknown>[]>;
  readonly #catchUp: CatchUp;
  readonly #guarantees: GuaranteeReview | undefined;
  readonly #turns = new Turns();
  readonly #metrics: AdmissionMetrics;
  readonly #budget: BodyBudget;
  /** The label of each known kind, and its path. Unknown kinds do not have a label, because anyone can send these. */
  readonly #kinds: ReadonlyMap<string, string>;

  private constructor(settings: AdmissionSettings) {
    this.#settings = settings;
    this.#trial = createTrial(settings.views);
    this.#catchUp = new CatchUp(this.#trial);
    this.#guarantees = settings.guarantees && new GuaranteeReview(this.#trial, settings.guarantees);
    this.#budget = new BodyBudget(settings.maxTotalBytes);
    this.#metrics = new AdmissionMetrics(settings.metrics);
    const kinds = settings.views.flatMap(({ topology }) => topology.requiredKinds);
    this.#kinds = new Map(kinds.map((kind) => [groupKindKey(kind), webhookPath(kind)]));
  }

  /** @internal Use `createAdmission`. */
  static make(settings: AdmissionSettings): Admission {
    return new Admission(settings);
  }

  /**
   * Computes the data of reviews in slices, so that other work continues between them. Without this call, the first review does so, and later
   * reviews compute the later changes. Until everything is computed, reviews allow changes that cannot be reviewed in time.
   *
   * @returns A promise that resolves when everything is computed.
   */
  async warmUp(): Promise<void> {
    await this.#catchUp.done();
    this.#guarantees?.warmUp();
  }

  /**
   * Answers an admission request. Before the views are complete, and where this fails, takes too long or waits too long for other requests, the change is
   * allowed with one warning.
   *
   * @param review The `AdmissionReview` that the API server sends.
   * @returns A promise of the `AdmissionReview` to respond with. It rejects only for anything but an `AdmissionReview` of `admission.k8s.io/v1`, with
   * the code `invalid-admission-review`.
   */
  review(review: AdmissionReviewRequest): Promise<AdmissionReviewResponse> {
    return this.#review(review, performance.now());
  }

  async #review(review: AdmissionReviewRequest, arrived: number): Promise<AdmissionReviewResponse> {
    const { response, result } = await this.#answer(review, arrived);
    const { kind, operation } = review.request;
    const label = groupKindKey(kind);
    this.#metrics.reviewed(this.#kinds.has(label) ? label : 'other', operation, result);
    return response;
  }

  /**
   * Answers a request of the Fetch API: mount it where the webhook is served, such as `app.post('/validate-*', (c) => admission.fetch(c.req.raw))`.
   *
   * @param request A POST with an `AdmissionReview` as JSON. The last part of its path must be the path of a kind: see `webhookConfiguration`.
   * @param sender Facts about the sender, which `serveAdmission` says. Default: nothing, so that the answer names no policies and no targets.
   * @returns A promise of the response, with a status other than 200 for anything but an admission request. It never rejects.
   */
  readonly fetch = (request: Request, sender: Sender = {}): Promise<Response> => {
    const { maxBytes, senders } = this.#settings;
    const arrived = performance.now();
    const seesNames = senders === 'api-server' || sender.isApiServer === true;
    const review = async (body: AdmissionReviewRequest) => {
      const answer = await this.#review(body, arrived);
      return seesNames ? answer : withoutNames(answer);
    };
    const handling = { maxBytes, budget: this.#budget, review, metrics: this.#metrics };
    return handleRequest(request, { ...handling, paths: new Set(this.#kinds.values()) });
  };

  async #answer(review: AdmissionReviewRequest, arrived: number): Promise<Answered> {
    const { isReady, timeout, answer, onError } = this.#settings;
    try {
      if (!isReady()) return allowed(review, 'unready');
      if (!(await this.#catchUp.within(timeout))) return allowed(review, 'late');
      if (!(await this.#turns.take(arrived + timeout))) return allowed(review, 'busy');
      const guarantees = this.#guarantees;
      return answered(
        answerTo(review, this.#trial, answer, guarantees && ((...change) => guarantees.review(...change))),
      );
    } catch (error) {
      if (isNoReview(error)) throw error;
      onError(error);
      return allowed(review, 'failed');
    }
  }
}

interface Answered {
  readonly response: AdmissionReviewResponse;
  readonly result: keyof typeof unreviewed | 'allowed' | 'warned' | 'refused';
}

function answered(response: AdmissionReviewResponse): Answered {
  const { allowed, warnings = [] } = response.response;
  return { response, result: !allowed ? 'refused' : warnings.length > 0 ? 'warned' : 'allowed' };
}

function allowed({ request: { uid } }: AdmissionReviewRequest, why: keyof typeof unreviewed): Answered {
  const warnings = [unreviewed[why]];
  const response = { uid, allowed: true, warnings };
  return { response: { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', response }, result: why };
}

function isNoReview(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'invalid-admission-review';
}
