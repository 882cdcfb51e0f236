import { expect, it } from 'vitest';
import { checkControllerName } from './controller-name.ts';

it.each(['example.com/gateways', 'a/b', 'gateway.example.com/a/b.c_d~e'])('takes %s', (name) => {
  expect(() => checkControllerName(name)).not.toThrow();
});

it.each([
  '',
  'example.com',
  'example.com/',
  '/gateways',
  'Example.com/gateways',
  'example.com/a b',
  `a/${'b'.repeat(252)}`,
  undefined as unknown as string, // `process.env.CONTROLLER_NAME!`
])('refuses "%s", and describes the form of a name', (name) => {
  expect(() => checkControllerName(name)).toThrow(
    expect.objectContaining({
      code: 'invalid-controller-name',
      message: expect.stringContaining('write one such as example.com/gateway-controller'),
    }),
  );
});
