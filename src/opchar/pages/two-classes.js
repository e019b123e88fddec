// Operating points of two classes in every space, as the modules of opchar.spaces compute them.
"use strict";
(function (root) {
  const OpChar = root.OpChar = root.OpChar || {};

  // Distinct operating points of a scored sample, from accepting none to accepting all.
  function operatingPoints(positive, scores) {
    const order = Uint32Array.from(scores.keys()).sort((a, b) => scores[b] - scores[a]);
    const [fp, tp, thresholds] = [0, 1, 2].map(() => new Float64Array(order.length + 1));
    thresholds[0] = Infinity;
    let wrong = 0, right = 0, size = 1;
    order.forEach((object, place) => {
      if (positive[object]) right += 1; else wrong += 1;
      if (place + 1 < order.length && scores[order[place + 1]] === scores[object]) return;
      fp[size] = wrong; tp[size] = right; thresholds[size] = scores[object];
      size += 1;
    });
    const [own, found, at] = [fp, tp, thresholds].map((values) => values.slice(0, size));
    return { fp: own, tp: found, thresholds: at, negatives: wrong, positives: right };
  }

  const size = (points) => points.fp.length;
  const fpr = (points, place) => points.fp[place] / points.negatives;
  const tpr = (points, place) => points.tp[place] / points.positives;

  // Places of the vertices of the upper convex hull in ROC space; exact, as counts are.
  function upperHull(points) {
    const { fp, tp } = points;
    const order = Array.from(fp.keys()).sort((a, b) => fp[a] - fp[b] || tp[a] - tp[b]);
    const hull = [];
    for (const next of order) {
      const last = hull[hull.length - 1];
      if (hull.length && fp[last] === fp[next] && tp[last] === tp[next]) continue;
      while (hull.length > 1) {
        const first = hull[hull.length - 2], middle = hull[hull.length - 1];
        const falls = (tp[middle] - tp[first]) * (fp[next] - fp[middle])
          > (tp[next] - tp[middle]) * (fp[middle] - fp[first]);
        if (falls) break;
        hull.pop();
      }
      hull.push(next);
    }
    return hull;
  }

  // Breakpoints from 0 to 1, and the places that have a range of their own between them.
  function between(crossings, places) {
    const starts = [0];
    for (const crossing of crossings) {
      starts.push(Math.max(starts[starts.length - 1], Math.min(Math.max(crossing, 0), 1)));
    }
    const ends = [...starts.slice(1), 1];
    const used = starts.map((start, place) => start < ends[place]);
    return {
      breakpoints: [...starts.filter((_, place) => used[place]), 1],
      places: places.filter((_, place) => used[place]),
    };
  }

  // Lower envelope of the cost lines over PC(+).
  function lowerEnvelope(points, hull) {
    const crossings = [];
    for (let k = 1; k < hull.length; k += 1) {
      const wrong = (points.fp[hull[k]] - points.fp[hull[k - 1]]) * points.positives;
      const right = (points.tp[hull[k]] - points.tp[hull[k - 1]]) * points.negatives;
      crossings.push(right > 0 && wrong + right > 0 ? wrong / (wrong + right) : 1);
    }
    return between(crossings, hull);
  }

  // Upper envelope of the F curves over P(+), for a weight of precision.
  function upperEnvelope(points, hull, alpha) {
    let top = 0;
    hull.forEach((place, k) => { if (points.tp[place] > points.tp[hull[top]]) top = k; });
    const useful = hull.slice(0, top + 1).filter((place) => points.tp[place] > 0);
    if (!useful.length) return { breakpoints: [0, 1], places: hull.slice(0, 1) };
    const crossings = [];
    for (let k = 1; k < useful.length; k += 1) {
      const [x0, x1] = [points.fp[useful[k - 1]], points.fp[useful[k]]];
      const [y0, y1] = [points.tp[useful[k - 1]], points.tp[useful[k]]];
      const falls = alpha * (x1 * y0 - x0 * y1);
      const grows = (1 - alpha) * (y1 - y0) * points.negatives;
      crossings.push(falls > 0 ? falls / (falls + grows) : 0);
    }
    return between(crossings, useful);
  }

  // Which of the ranges of an envelope holds a condition; at a breakpoint the one to its right.
  function rangeAt(envelope, at) {
    let range = 0;
    while (range + 1 < envelope.places.length && envelope.breakpoints[range + 1] <= at) range += 1;
    return range;
  }

  const expectedCost = (right, wrong, pc) => (1 - right) * pc + wrong * (1 - pc);

  // PC(+) of a prior and of the cost weight m = C_FP / (C_FP + C_FN).
  function probabilityCost(prior, m) {
    const positive = prior * (1 - m), total = positive + (1 - prior) * m;
    if (total > 0) return positive / total;
    return m === 0 ? 1 : 0;
  }

  function precision(right, wrong, prior) {
    const accepted = prior * right + (1 - prior) * wrong;
    return accepted > 0 ? (prior * right) / accepted : NaN;
  }

  function fMeasure(right, wrong, prior, alpha) {
    const accepted = prior * right;
    const total = alpha * (accepted + (1 - prior) * wrong) + (1 - alpha) * prior;
    if (total > 0) return accepted / total;
    const limit = alpha * right + (1 - alpha);
    return limit > 0 ? right / limit : 0;
  }

  function auc(points) {
    let area = 0;
    for (let k = 1; k < size(points); k += 1) {
      area += (fpr(points, k) - fpr(points, k - 1)) * (tpr(points, k) + tpr(points, k - 1)) / 2;
    }
    return area;
  }

  // (log(1 + u) - u) / u^2 where u is small, by its series.
  function curvature(u) {
    let sum = 0;
    for (let k = 11; k >= 2; k -= 1) sum = sum * u + (k % 2 ? 1 : -1) / k;
    return sum;
  }

  // Area under precision over recall of the straight-line ROC curve at a prior, exactly.
  function exactAuprec(points, prior) {
    const skew = (1 - prior) / prior;
    let area = 0;
    for (let k = 1; k < size(points); k += 1) {
      const start = tpr(points, k - 1), stop = tpr(points, k), rise = stop - start;
      if (rise <= 0) continue;
      // Precision is t / g(t), g linear from a to b over the piece.
      const a = start + skew * fpr(points, k - 1), b = stop + skew * fpr(points, k);
      if (a === 0) { area += rise * stop / b; continue; }
      const u = (b - a) / a;
      if (Math.abs(u) < 1e-2) {
        // Integral of (start + rise x) / (a (1 + u x)) over x from 0 to 1.
        const whole = 1 + u * curvature(u);
        area += rise / a * (start * whole - rise * curvature(u));
      } else {
        const whole = Math.log1p(u) / u;
        area += rise / a * (start * whole + rise * (1 - whole) / u);
      }
    }
    return area;
  }

  // The place of accepting every score that reaches a threshold.
  function placeOf(points, threshold) {
    let low = 0, high = size(points) - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if (points.thresholds[middle] >= threshold) low = middle; else high = middle - 1;
    }
    return low;
  }

  const areProbabilities = (points) => {
    const last = points.thresholds[size(points) - 1];
    return size(points) > 1 && points.thresholds[1] <= 1 && last >= 0;
  };

  // Expected cost at PC(+) when scores are taken for probabilities of a balanced sample.
  function brierCurve(points, pc) {
    const place = placeOf(points, 1 - pc);
    return expectedCost(tpr(points, place), fpr(points, place), pc);
  }

  // Places so close that a chart of them looks like that of all: the first and the last, and one
  // whenever the rates have moved by a share of an axis.
  function sketch(points, share = 1 / 400) {
    const places = [0], last = size(points) - 1;
    for (let k = 1, kept = 0; k < last; k += 1) {
      if (fpr(points, k) - fpr(points, kept) + tpr(points, k) - tpr(points, kept) < share) continue;
      places.push(k);
      kept = k;
    }
    return last > 0 ? [...places, last] : places;
  }

  // Rates at places, and at others between far neighbours, on the straight line in ROC space.
  function curve(points, places, most = 0.02) {
    const rights = [], wrongs = [];
    places.forEach((place, k) => {
      const right = tpr(points, place), wrong = fpr(points, place);
      if (k) {
        const before = places[k - 1], r0 = tpr(points, before), w0 = fpr(points, before);
        const steps = Math.ceil(Math.max(right - r0, wrong - w0) / most);
        for (let s = 1; s < steps; s += 1) {
          rights.push(r0 + (right - r0) * s / steps);
          wrongs.push(w0 + (wrong - w0) * s / steps);
        }
      }
      rights.push(right);
      wrongs.push(wrong);
    });
    return { tpr: Float64Array.from(rights), fpr: Float64Array.from(wrongs) };
  }

  OpChar.two = {
    operatingPoints, size, fpr, tpr, upperHull, lowerEnvelope, upperEnvelope, rangeAt,
    expectedCost, probabilityCost, precision, fMeasure, auc, exactAuprec, placeOf,
    areProbabilities, brierCurve, sketch, curve,
  };
})(typeof globalThis === "undefined" ? window : globalThis);
