/** The name of the controller in statuses and managed fields. */
export const controllerName = 'timeouts.example.com/controller';

/** Shorter than usual, so that a test need not wait for long. In milliseconds. */
export const leaseTimes = { leaseDuration: 4000, renewDeadline: 3000, retryPeriod: 500 };
