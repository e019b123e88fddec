// A reader's own scores from a CSV file. Nothing leaves the browser.
"use strict";
(function (root) {
  const OpChar = root.OpChar = root.OpChar || {};
  // Names and rules are those of opchar.analysis.tables.columns; one table of cases holds both to them.
  const LABELS = ["y", "y_true", "ytrue", "label", "labels", "target", "class", "true", "truth",
    "true_class", "true_label", "actual", "actual_class", "actual_label", "ground_truth", "outcome", "diagnosis",
    "obs", "observed"];
  const SCORES = ["score", "scores", "y_score", "yscore", "y_prob", "y_proba", "y_pred_proba", "prob",
    "proba", "probability", "p", "decision", "decision_function", "prediction", "y_hat", "yhat", "pred",
    "predicted_probability", "predicted_proba", "predicted_prob", "predicted_score", "predicted_risk"];
  const TAKEN = [["fold", "folds", "cv_fold"], ["weight", "weights", "sample_weight"],
    ["id", "index", "object", "object_id", "sample_id", "row_id", "uid"],
    ["cost"], ["cost_fp"], ["cost_fn"], ["cost_tp"], ["cost_tn"]];
  const UNNAMED = ["", "unnamed: 0"];
  const PREFIXES = ["y_score_", "y_proba_", "scores_", "score_", "proba_", "prob_", "p_", "p(y=", "probability", "proba", "prob", "score", "p",
    "prediction", "predicted", "pred", "confidence", "posterior"];
  // Two probabilities of two places add up to 1 within this.
  const ROUNDED = 0.0101;
  const BEGINS = PREFIXES.slice(0, 7), ENDS = ["_score", "_proba", "_prob", "_probability"];
  const POSITIVE = ["1", "true", "yes", "positive", "pos", "+", "+1"];
  const NEGATIVE = ["0", "-1"];
  const MISSING = ["", "na", "n/a", "#n/a", "nan", "null", "none"];
  const NOT_POOLED = ["test_set", "member"];

  // Without a byte-order mark and what spreadsheets write before the header.
  const body = (text) => text.replace(/^\uFEFF/, "").replace(/^\s*"?sep=."?[ \t]*\r?\n/i, "");

  // Names and numbers as people write them: rules of opchar.analysis.tables.cells.
  const PERCENT = /[\s_(\[]*(?:%|(?<![\p{L}\p{N}])(?:percent|pct))\s*[)\]]?$/iu;
  const SPACED = /^[+-]?\d{1,3}(?:[ '\u2019\u00a0\u2009\u202f]\d{3})+(?:[.,]\d*)?$/;
  const THOUSANDS = /^[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?$/;
  const DECIMAL = /^[+-]?(?:\d*|\d{1,3}(?:\.\d{3})+),\d+(?:e[+-]?\d+)?$/i;
  const tidy = (name) => name.replace(/[\uFEFF\u200B]/g, "").trim().split(/\s+/).join(" ");
  const withoutUnit = (name) => name.replace(PERCENT, "");
  const words = (name) => (withoutUnit(name).toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join("_");
  const bare = (text) => text.replace(/%$/, "").trimEnd();
  const isPercent = (name, cells) => withoutUnit(name) !== name || cells.some((cell) => cell.endsWith("%"));

  // A cell without what parts thousands, if that is no comma.
  function plain(cell) {
    const text = cell.trim().replace("\u2212", "-");
    return SPACED.test(bare(text)) ? text.replace(/[ '\u2019\u00a0\u2009\u202f]/g, "") : text;
  }

  // The numbers of a column, those in percent as shares; NaN for what is none, or may be one of two.
  function cellNumbers(name, cells) {
    const texts = cells.map(plain), commas = texts.map(bare).filter((text) => text.includes(","));
    const hasPoint = texts.some((text) => text.includes(".") && !text.includes(","));
    const grouped = commas.every((text) => THOUSANDS.test(text));
    const decimal = !hasPoint && commas.every((text) => DECIMAL.test(text));
    const signed = texts.some((text) => text.endsWith("%")), percent = isPercent(name, cells);
    return texts.map((text) => {
      let number = bare(text);
      if (grouped && !decimal) number = number.replaceAll(",", "");
      else if (decimal && !grouped && number.includes(",")) number = number.replaceAll(".", "").replace(",", ".");
      const value = signed && !text.endsWith("%") ? NaN : parsed(number);
      return percent ? value / 100 : value;
    });
  }

  // What is wrong with a cell that should hold a number.
  function noNumber(cell, name, cells) {
    const text = plain(cell);
    if (isMissing(text)) return "no value";
    if (THOUSANDS.test(text) && DECIMAL.test(text)) return `'${text}' may be ${text.replaceAll(",", "")} or ${text.replaceAll(",", ".")}; write one of them`;
    if (DECIMAL.test(text)) return `'${text}' has a decimal comma; write ${text.replaceAll(".", "").replace(",", ".")}`;
    if (!Number.isNaN(parsed(text)) && isPercent(name, cells)) return `'${text}' has no % as other rows have; write all in one unit`;
    return `'${text}' is ${isNumber(text) ? "not finite" : "no number"}`;
  }

  // Rows of cells; quotes as in RFC 4180, separated by the mark that the first line has most of, or
  // by runs of blanks where it has none.
  function rows(text) {
    const clean = body(text);
    const mark = rows.mark(text);
    const found = [];
    let row = [], cell = "", quoted = false;
    const end = () => { if (mark !== " " || cell !== "") row.push(cell.trim()); cell = ""; };
    const close = () => { end(); if (row.some((each) => each !== "")) found.push(row); row = []; };
    for (let k = 0; k < clean.length; k += 1) {
      const next = clean[k];
      if (quoted) {
        if (next !== '"') cell += next;
        else if (clean[k + 1] === '"') { cell += '"'; k += 1; } else quoted = false;
      } else if (next === '"' && cell.trim() === "") { quoted = true; cell = ""; }
      else if (next === mark) end();
      else if (next === "\n") close();
      else if (next !== "\r") cell += next;
    }
    if (quoted) throw new Error("a quotation mark is opened and never closed");
    close();
    return found;
  }

  rows.mark = (text) => {
    const head = body(text).split(/\r?\n/, 1)[0];
    const count = (mark) => head.split(mark).length;
    const best = [",", ";", "\t", "|"].reduce((best, next) => count(next) > count(best) ? next : best);
    return count(best) > 1 || count(" ") === 1 ? best : " ";
  };

  const isMissing = (text) => MISSING.includes(text.toLowerCase());
  const list = (names) => `[${names.map((name) => `'${name}'`).join(", ")}]`;

  // A number as Python reads one; NaN for anything else.
  const parsed = (text) => /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : NaN;
  const isNumber = (text) => !Number.isNaN(parsed(text)) || /^[+-]?(inf|infinity|nan)$/i.test(text);

  // A label as text, so that 1, 1.0 and "1" are one class.
  function labelText(text) {
    const value = parsed(text.replace(/^([+-]?\d+),0$/, "$1"));
    return Number.isInteger(value) ? String(value === 0 ? 0 : value) : text;
  }

  // Text before numbers is told apart by value, other text by its letters.
  function natural(one, other) {
    const [a, b] = [parsed(one), parsed(other)];
    if (Number.isNaN(a) !== Number.isNaN(b)) return Number.isNaN(a) ? 1 : -1;
    if (!Number.isNaN(a) && a !== b) return a - b;
    return one < other ? -1 : one > other ? 1 : 0;
  }

  function numbers(cells, name) {
    const found = cellNumbers(name, cells);
    if (withoutUnit(name) !== name && !cells.some((cell) => cell.endsWith("%")) && found.every((value) => value <= 0.01)) {
      throw new Error(`column '${name}': is called percent, and no value is above 1; rename it or write % in its cells`);
    }
    found.forEach((value, place) => {
      if (Math.abs(value) <= 1e150) return;
      const said = Number.isFinite(value) ? "beyond 1e150; divide all by one number" : noNumber(cells[place], name, cells);
      throw new Error(`row ${place + 1}, column '${name}': ${said}`);
    });
    return found;
  }

  function classOf(column, classes) {
    const own = withoutUnit(column);
    const inner = own.replace(/^[ ()[\]_:.-]+/, "");
    const rests = PREFIXES.filter((start) => inner.toLowerCase().startsWith(start)).map((start) => inner.slice(start.length));
    const ends = rests.map((rest) => rest.replace(/^[ ()[\]_:.-]+|[ ()[\]_:.-]+$/g, ""));
    const texts = [column, own, ...rests, ...ends, ...ends.map((end) => end.slice(end.lastIndexOf("=") + 1))];
    return texts.filter((text) => text !== "").map(labelText).find((text) => classes.includes(text));
  }

  // The places of usual names, in the order of these, however they are written.
  function usual(head, places, names) {
    const wanted = [...new Set(names.map((name) => name.replaceAll("_", "")))];
    return wanted.flatMap((name) => places.filter((place) => words(head[place]).replaceAll("_", "") === name));
  }

  function labelColumn(head, columns, places) {
    let found = usual(head, places, LABELS);
    if (found.length > 1) throw new Error(`columns ${list(found.map((place) => head[place]))} may all be true classes`);
    if (!found.length) found = places.filter((place) => new Set(columns[place].filter((text) => !isMissing(text))).size === 2);
    if (found.length === 1) return found[0];
    throw new Error(`no column is called ${LABELS.slice(0, 6).join(", ")} or the like, and not just one has two values`);
  }

  // Columns of models; two that are the probabilities of the two classes are refused.
  function ofOneClass(head, found, columns) {
    if (found.length === 2) {
      const [one, other] = found.map((place) => cellNumbers(head[place], columns[place]));
      const sums = one.map((value, row) => value + other[row]).filter((sum) => !Number.isNaN(sum));
      if (new Set(one).size > 2 && sums.length && sums.every((sum) => Math.abs(sum - 1) < ROUNDED)) {
        throw new Error(`columns ${list(found.map((place) => head[place]))} add up to 1 in each row, as one model's probabilities of both classes do; leave only that of the positive class`);
      }
    }
    return found;
  }

  // The columns of scores of two classes, each of its own model.
  function singleScores(head, rest, numeric, columns) {
    const named = usual(head, rest, SCORES);
    if (named.length === 1 || (named.length && numeric.length !== 1)) return [named[0]];
    const like = numeric.filter((place) => BEGINS.some((start) => words(head[place]).startsWith(start)) || ENDS.some((end) => words(head[place]).endsWith(end)));
    if (!named.length && like.length) return ofOneClass(head, like, columns);
    if (numeric.length === 1) return numeric;
    const probable = (place) => {
      const values = cellNumbers(head[place], columns[place]).filter((value) => !Number.isNaN(value));
      return values.length && values.every((value) => value >= 0 && value <= 1) && new Set(values).size > 2;
    };
    if (numeric.length && numeric.every(probable)) return ofOneClass(head, numeric, columns);
    if (!numeric.length && rest.length === 1) return rest;
    const offered = (numeric.length ? numeric : rest).map((place) => head[place]).join(", ");
    throw new Error(`which column has the scores? ${offered || "there is none"}`);
  }

  function plainlyPositive(classes) {
    if (classes.length !== 2) return undefined;
    return classes.find((name, place) => {
      const other = classes[1 - place];
      const beside = !["1", "+1"].includes(name) || NEGATIVE.includes(other) || !isNumber(other);
      return POSITIVE.includes(name.toLowerCase()) && beside;
    });
  }

  // The positive class, and why.
  function positiveClass(classes, labels, own) {
    if (own !== undefined) return [own, "the column of scores is called after it"];
    const plain = plainlyPositive(classes);
    if (plain !== undefined) return [plain, "by its name"];
    const sizes = classes.map((name) => labels.filter((label) => label === name).length);
    return [classes[sizes.indexOf(Math.min(...sizes))], "the rarer of the two; its name does not say so"];
  }

  // Labels and scores: classes, the positive one, and one column per class, or one per model of two classes.
  function readScores(text) {
    const [first, ...body] = rows(text);
    if (!first) throw new Error("the file is empty");
    const head = first.map(tidy);
    if (head.every((name) => name !== "" && isNumber(name))) throw new Error(`the first line has numbers only (${head.join(",").slice(0, 40)}); name the columns there`);
    const repeated = head.filter((name, place) => head.indexOf(name) < place).sort()[0];
    if (repeated !== undefined) throw new Error(`two columns are called '${repeated}'`);
    if (!body.length) throw new Error("the table has no rows");
    if (body.some((row) => row.length > head.length)) throw new Error("a row has more cells than the first line has names");
    const columns = head.map((_, place) => body.map((row) => row[place] ?? ""));
    const all = head.map((_, place) => place);
    for (const key of NOT_POOLED) {
      const place = head.indexOf(key), number = place < 0 ? 0 : new Set(columns[place]).size;
      if (number > 1) throw new Error(`column '${key}': one analysis wants one of the ${number} in the table`);
    }
    const taken = TAKEN.map((words) => usual(head, all, words)[0]);
    const truth = labelColumn(head, columns, all.filter((place) => !taken.includes(place) && !UNNAMED.includes(head[place].toLowerCase())));
    const raw = (name) => name.endsWith(" (raw)") && head.includes(name.slice(0, -6));
    const rest = all.filter((place) => place !== truth && !taken.includes(place) && !raw(head[place]) && !UNNAMED.includes(head[place].toLowerCase()));
    const words = columns[truth].every((cell) => /^(true|false|True|False|TRUE|FALSE)$/.test(cell));
    const labels = columns[truth].map(words ? (cell) => cell[0].toUpperCase() + cell.slice(1).toLowerCase() : labelText);
    const classes = [...new Set(labels)].filter((name) => name !== "").sort(natural);
    if (classes.length < 2) throw new Error(`column '${head[truth]}' has only the class '${classes[0] ?? ""}'; an analysis needs objects of two`);
    const numeric = rest.filter((place) => {
      const given = columns[place].filter((cell) => !isMissing(cell));
      return given.length && !cellNumbers(head[place], given).some(Number.isNaN);
    });
    const byClass = new Map();
    for (const place of rest) { const name = classOf(head[place], classes); if (name !== undefined) byClass.set(name, place); }
    const values = (place) => numbers(columns[place], head[place]);
    const finish = (found) => {
      const empty = labels.indexOf("");
      if (empty >= 0) throw new Error(`row ${empty + 1}, column '${head[truth]}': empty`);
      return { labels, ...found() };
    };
    if (byClass.size === classes.length) {
      const ordered = [...classes].sort((a, b) => byClass.get(a) - byClass.get(b));
      return finish(() => {
        const [positive, why] = positiveClass(ordered, labels);
        return { classes: ordered, positive, why, columns: ordered.map((name) => values(byClass.get(name))), models: null };
      });
    }
    if (classes.length > 2) {
      const missing = classes.find((name) => !byClass.has(name));
      const sizes = classes.slice(0, 5).map((name) => `${name} (${labels.filter((label) => label === name).length})`);
      throw new Error(`no column of scores for class '${missing}' of ${classes.length}; columns are ${list(rest.map((place) => head[place]))}, classes ${sizes.join(", ")}${classes.length > 5 ? ", ..." : ""}`);
    }
    const single = singleScores(head, rest, numeric, columns);
    const own = single.length === 1 && byClass.size === 1 ? [...byClass.keys()][0] : undefined;
    return finish(() => {
      const [positive, why] = positiveClass(classes, labels, own);
      return { classes, positive, why, columns: null, models: Object.fromEntries(single.map((place) => [head[place], values(place)])) };
    });
  }

  OpChar.csv = { rows, readScores };
})(typeof globalThis === "undefined" ? window : globalThis);
