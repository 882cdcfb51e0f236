/** What random tests start from: the same in each `npm test`, and another in each `npm run check`, which prints it. */
export const propertySeed = Number(process.env.PROPERTY_SEED ?? 0);
