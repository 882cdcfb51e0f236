/**
 * Returns the member that owns a key, by rendezvous hashing: all processes that know the same members agree, and when a member comes or goes, only the
 * keys that it owns move.
 *
 * @param members The names of the members, in any order.
 * @returns The name of the owner; `undefined` without members. O(members).
 */
export function ownerOf(key: string, members: Iterable<string>): string | undefined {
  const ofKey = hashOf(key);
  let owner: string | undefined;
  let highest = -1;
  for (const member of members) {
    const weight = mixed(ofKey ^ mixed(hashOf(member)));
    if (weight < highest || (weight === highest && owner !== undefined && member > owner)) continue;
    owner = member;
    highest = weight;
  }
  return owner;
}

/** Returns the FNV-1a hash of a text, of its UTF-16 code units. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return mixed(hash);
}

/** Spreads a number over all numbers of 32 bits, as the end of MurmurHash3 does. */
function mixed(number: number): number {
  let bits = number ^ (number >>> 16);
  bits = Math.imul(bits, 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}
