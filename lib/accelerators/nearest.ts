/** Levenshtein distance: insertions, deletions and substitutions that turn one word into the other. */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let row = 1; row <= from.length; row++) {
    const current = [row];
    for (let column = 1; column <= to.length; column++) {
      const substitution = previous[column - 1] + (from[row - 1] === to[column - 1] ? 0 : 1);
      current.push(Math.min(substitution, previous[column] + 1, current[column - 1] + 1));
    }
    previous = current;
  }
  return previous[to.length];
}

/**
 * The candidates most like `word`, closest first, at most `limit`. On a tie the instance family that was written wins.
 * A candidate needs to share about two thirds of its letters with the word, so that nonsense suggests nothing.
 */
export function nearestNames(word: string, candidates: string[], limit: number): string[] {
  const wanted = word.trim().toLowerCase();
  const family = wanted.split(".")[0];
  return candidates
    .map((name, order) => ({
      name,
      order,
      distance: editDistance(wanted, name),
      otherFamily: name.split(".")[0] === family ? 0 : 1,
    }))
    .filter(({ distance, name }) => distance <= Math.max(2, Math.floor(name.length / 3)))
    .sort((a, b) => a.distance - b.distance || a.otherFamily - b.otherFamily || a.order - b.order)
    .slice(0, limit)
    .map(({ name }) => name);
}
