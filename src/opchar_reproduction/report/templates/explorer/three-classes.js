// Class weights, confusion matrices and costs, as opchar.multiclass.roc.hypersurface computes them.
"use strict";
(function (root) {
  const OpChar = root.OpChar = root.OpChar || {};
  const CLASSES = 3;

  // Logarithmic steps of a weight.
  function weightSteps(steps, low = 1e-3, high = 1e3) {
    const from = Math.log10(low), to = Math.log10(high);
    return Array.from({ length: steps }, (_, k) => 10 ** (from + (to - from) * k / (steps - 1)));
  }

  // Objects of true classes (rows) by the class with the largest weighted score (columns).
  function confusion(labels, scores, weights) {
    const counts = new Array(CLASSES * CLASSES).fill(0);
    labels.forEach((label, object) => {
      let winner = 0, best = weights[0] * scores[object][0];
      for (let c = 1; c < CLASSES; c += 1) {
        const value = weights[c] * scores[object][c];
        if (value > best) { best = value; winner = c; }
      }
      counts[label * CLASSES + winner] += 1;
    });
    return counts;
  }

  // Confusion matrices at all weights of a grid; the last weight stays one.
  function lattice(labels, scores, steps) {
    const found = [];
    for (const first of steps) {
      for (const second of steps) {
        const weights = [first, second, 1];
        found.push({ weights, counts: confusion(labels, scores, weights) });
      }
    }
    return found;
  }

  function classSizes(labels) {
    const sizes = new Array(CLASSES).fill(0);
    for (const label of labels) sizes[label] += 1;
    return sizes;
  }

  // Expected cost of an object under a cost matrix and priors.
  function loss(counts, sizes, costs, priors) {
    let sum = 0;
    for (let i = 0; i < CLASSES; i += 1) {
      for (let j = 0; j < CLASSES; j += 1) {
        sum += priors[i] * costs[i][j] * counts[i * CLASSES + j] / sizes[i];
      }
    }
    return sum;
  }

  // The cheapest of the weights of a lattice, of equal ones those nearest to equal weights.
  function cheapest(found, sizes, costs, priors) {
    let best = null, least = Infinity, spread = Infinity;
    for (const point of found) {
      const value = loss(point.counts, sizes, costs, priors);
      const own = Math.abs(Math.log(point.weights[0])) + Math.abs(Math.log(point.weights[1]));
      if (value < least - 1e-12 || (value < least + 1e-12 && own < spread)) {
        best = point; least = Math.min(value, least); spread = own;
      }
    }
    return { ...best, loss: loss(best.counts, sizes, costs, priors) };
  }

  // Shares of each class that are recognised.
  const recognised = (counts, sizes) => sizes.map((size, c) => counts[c * CLASSES + c] / size);

  OpChar.three = { weightSteps, confusion, lattice, classSizes, loss, cheapest, recognised };
})(typeof globalThis === "undefined" ? window : globalThis);
