/**
 * How many bytes each entry may add to a bundle: minified and compressed by gzip, without its dependencies. Raise a number
 * when what it pays for is worth it, and say so in the commit.
 */
export const budget: Readonly<Record<string, number>> = {
  '@policy-machinery/admission': 6500,
  '@policy-machinery/admission/node': 2000,
  '@policy-machinery/cel': 4000,
  '@policy-machinery/cluster': 18_000,
  '@policy-machinery/conditions': 5000,
  '@policy-machinery/conflict': 1000,
  '@policy-machinery/conformance': 11_000,
  '@policy-machinery/controller': 16_000,
  '@policy-machinery/controller/opentelemetry': 1000,
  '@policy-machinery/controller/prom-client': 1000,
  '@policy-machinery/crd': 11_500,
  '@policy-machinery/effective-policy': 28_500,
  '@policy-machinery/gateway-api': 20_500,
  '@policy-machinery/known-kinds': 12_500,
  '@policy-machinery/merge': 6200,
  '@policy-machinery/policy-kind': 9200,
  '@policy-machinery/policy-status': 19_500,
  '@policy-machinery/report': 26_000,
  '@policy-machinery/resource': 4500,
  '@policy-machinery/resource/manifests': 7000,
  '@policy-machinery/resource/node': 7500,
  '@policy-machinery/target-ref': 3500,
  '@policy-machinery/testing': 21_000,
  '@policy-machinery/testing/vitest': 3000,
  '@policy-machinery/text': 2000,
  '@policy-machinery/topology': 29_000,
  '@policy-machinery/topology/graph': 1500,
  '@policy-machinery/topology/testing': 1500,
};
