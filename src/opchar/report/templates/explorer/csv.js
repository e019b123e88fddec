// A reader's own scores from a CSV file. Nothing leaves the browser.
"use strict";
(function (root) {
  const OpChar = root.OpChar = root.OpChar || {};
  const OTHER = ["fold", "index", "test_set", "member", "detector"];
  const POSITIVE = ["1", "1.0", "true", "yes", "positive", "pos", "+1", "+"];

  // Rows of cells; quotes as in RFC 4180, separated by the mark that the first line has most of.
  function rows(text) {
    const clean = text.replace(/^\uFEFF/, "");
    const head = clean.split(/\r?\n/, 1)[0];
    const count = (mark) => head.split(mark).length;
    const mark = [",", ";", "\t"].reduce((best, next) => count(next) > count(best) ? next : best);
    const found = [];
    let row = [], cell = "", quoted = false;
    const end = () => { row.push(cell.trim()); cell = ""; };
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

  function number(text, row, column) {
    const value = text === "" ? NaN : Number(text);
    if (!Number.isFinite(value)) {
      throw new Error(`row ${row}, column "${column}": ${text === "" ? "no value" : `"${text}" is not a number`}`);
    }
    return value;
  }

  // Labels and scores: a column y, and one column of scores or one a class, named like the labels.
  function readScores(text) {
    const [head, ...body] = rows(text);
    if (!head) throw new Error("the file is empty; it needs a line of column names and one line an object");
    const names = head.map((name) => name.toLowerCase());
    const repeated = head.find((name, place) => head.indexOf(name) < place);
    if (repeated !== undefined) throw new Error(`two columns are called "${repeated}"`);
    const truth = ["y", "y_true", "label", "class", "target"].map((name) => names.indexOf(name)).find((place) => place >= 0);
    if (truth === undefined) throw new Error(`no column "y" with the true class; there are ${head.join(", ")}`);
    if (!body.length) throw new Error("there are column names and no rows");
    body.forEach((row, place) => {
      if (row.length !== head.length) throw new Error(`row ${place + 2} has ${row.length} cells and the first line ${head.length}`);
    });
    const raw = (name) => name.endsWith(" (raw)") && head.includes(name.slice(0, -6));
    const columns = head.map((name, place) => place).filter((place) => place !== truth && !OTHER.includes(names[place]) && !raw(head[place]));
    const labels = body.map((row, place) => {
      if (row[truth] === "") throw new Error(`row ${place + 2}, column "${head[truth]}": no class`);
      return row[truth];
    });
    const classes = [...new Set(labels)].sort();
    if (classes.length < 2) throw new Error(`all objects are of class "${classes[0]}"; a curve needs two`);
    if (!columns.length) throw new Error("no column of scores besides the true class");
    const scores = columns.map((column) => body.map((row, place) => number(row[column], place + 2, head[column])));
    if (columns.length === 1) {
      if (classes.length > 2) throw new Error(`${classes.length} classes (${classes.join(", ")}) and one column of scores; give one column a class`);
      const positive = classes.find((name) => POSITIVE.includes(name.toLowerCase())) || classes[1];
      return { classes, labels, positive, columns: null, scores: scores[0] };
    }
    const named = columns.map((column) => head[column]);
    const missing = classes.find((name) => !named.includes(name));
    if (missing !== undefined) throw new Error(`class "${missing}" has no column of scores; the columns are ${named.join(", ")}`);
    const sizes = named.map((name) => labels.filter((label) => label === name).length);
    const empty = named.find((_, place) => !sizes[place]);
    if (empty !== undefined) throw new Error(`column "${empty}" is a class without objects`);
    return { classes: named, labels, positive: named[sizes.indexOf(Math.min(...sizes))], columns: scores, scores: null };
  }

  OpChar.csv = { rows, readScores };
})(typeof globalThis === "undefined" ? window : globalThis);
