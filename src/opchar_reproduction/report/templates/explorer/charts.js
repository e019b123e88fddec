// The charting library, unpacked when first needed, and charts in the colours of the page.
"use strict";
(function (root) {
  const OpChar = root.OpChar = root.OpChar || {};
  let library = null;

  function script(src) {
    return new Promise((resolve, reject) => {
      const tag = document.createElement("script");
      tag.src = src;
      tag.onload = () => resolve();
      tag.onerror = () => reject(new Error(`${src} cannot be read; keep it beside the page`));
      document.head.append(tag);
    });
  }

  async function unpack() {
    if (!root.OPCHAR_PLOTLY) await script("assets/plotly.js");
    if (typeof DecompressionStream === "undefined") throw new Error("this browser is too old for the charts (it has no DecompressionStream)");
    const bytes = Uint8Array.from(atob(root.OPCHAR_PLOTLY), (letter) => letter.charCodeAt(0));
    root.OPCHAR_PLOTLY = "";
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    const text = await new Response(stream).blob();
    const address = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
    await script(address);
    URL.revokeObjectURL(address);
    return root.Plotly;
  }

  function load() {
    library = library || unpack();
    return library;
  }

  function colours() {
    const style = getComputedStyle(document.documentElement);
    const of = (name) => style.getPropertyValue(name).trim();
    return { paper: of("--paper"), ink: of("--ink"), soft: of("--soft"), line: of("--line"), first: of("--good"), second: of("--bad"), third: of("--wrong") };
  }

  const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif';

  function axis(title, range, ink, more = {}) {
    return {
      title: { text: title, standoff: 6 }, range, fixedrange: true, zeroline: false, color: ink.ink,
      gridcolor: ink.line, linecolor: ink.soft, ticks: "outside", tickcolor: ink.soft, ...more,
    };
  }

  // A chart of lines and points; `lines` are [x, y, name, colour, width, dash or marker].
  function chart(box, title, axes, traces) {
    const ink = colours();
    const data = traces.map((trace) => ({
      type: "scatter", mode: trace.marker ? "markers" : "lines", name: trace.name, x: trace.x, y: trace.y,
      hovertemplate: `%{x:.4~g}, %{y:.4~g}<extra>${trace.name}</extra>`,
      line: { color: ink[trace.colour], width: trace.width || 2, dash: trace.dash || "solid" },
      marker: { color: ink[trace.colour], size: 11, symbol: trace.marker || "circle", line: { color: ink.paper, width: 1.5 } },
    }));
    const layout = {
      title: { text: title, font: { size: 14 }, x: 0.02, xanchor: "left" }, showlegend: true, legend: { orientation: "h", x: 0, y: -0.2, yanchor: "top", font: { size: 11 } },
      paper_bgcolor: ink.paper, plot_bgcolor: ink.paper, font: { family: FONT, size: 12, color: ink.ink },
      margin: { l: 52, r: 12, t: 34, b: 78 }, hovermode: "closest", dragmode: false,
      xaxis: axis(axes.x, axes.xrange || [-0.02, 1.02], ink, axes.log ? { type: "log", tickvals: [0.0001, 0.001, 0.01, 0.1, 1], ticktext: ["0.0001", "0.001", "0.01", "0.1", "1"] } : {}),
      yaxis: axis(axes.y, axes.yrange || [-0.02, 1.02], ink),
    };
    return root.Plotly.react(box, data, layout, { displayModeBar: false, responsive: true });
  }

  const SCALE = [[0, "#440154"], [0.25, "#3b528b"], [0.5, "#21918c"], [0.75, "#5ec962"], [1, "#fde725"]];

  function solid(trace, ink) {
    const shared = { name: trace.name || "", x: trace.x, y: trace.y, z: trace.z };
    const told = "%{x:.3~f}, %{y:.3~f}, %{z:.3~f}<extra>" + shared.name + "</extra>";
    if (trace.kind === "surface") {
      return { ...shared, type: "surface", colorscale: SCALE, cmin: trace.low ?? 0, cmax: trace.high ?? 1, surfacecolor: trace.shade || trace.z, showscale: false, opacity: trace.opacity ?? 0.9, hovertemplate: told, contours: { z: { show: true, usecolormap: false, color: "#222222", width: 1, start: 0, end: 1, size: 0.1 } } };
    }
    const shade = trace.shade || trace.z;
    return {
      ...shared, type: "scatter3d", mode: trace.kind === "line" ? "lines" : "markers", hovertemplate: told,
      line: { color: ink[trace.colour] || trace.colour || ink.second, width: 5 },
      marker: trace.kind === "mark"
        ? { size: 7, color: ink[trace.colour] || ink.second, line: { color: ink.paper, width: 1 } }
        : { size: 2.5, color: shade, colorscale: SCALE, cmin: 0, cmax: 1, opacity: 0.9 },
    };
  }

  // Where the eye stands for a turn about the vertical axis and a height, both in degrees.
  function eye(turn, height, far = 2.5) {
    const [a, b] = [turn * Math.PI / 180, height * Math.PI / 180];
    return { x: far * Math.cos(b) * Math.cos(a), y: far * Math.cos(b) * Math.sin(a), z: far * Math.sin(b) };
  }

  // A little below the middle, so that the names of the axes are in sight.
  const CENTRE = { x: 0, y: 0, z: -0.14 };
  const TURN = { turn: 38, height: 28 };

  // A view that can be turned by mouse, and by two sliders, which a keyboard reaches.
  function view(box, axes, traces, ranges) {
    const ink = colours();
    const at = box.opcharTurn || { ...TURN };
    const named = (text, range) => ({ title: { text }, range, color: ink.ink, gridcolor: ink.line, backgroundcolor: ink.paper, showbackground: false, zerolinecolor: ink.line });
    const layout = {
      paper_bgcolor: ink.paper, font: { family: FONT, size: 12, color: ink.ink }, margin: { l: 0, r: 0, t: 0, b: 0 }, showlegend: false,
      scene: {
        xaxis: named(axes[0], ranges?.[0]), yaxis: named(axes[1], ranges?.[1]), zaxis: named(axes[2], ranges?.[2]),
        aspectmode: "cube", dragmode: "turntable", camera: { eye: eye(at.turn, at.height), center: CENTRE }, uirevision: "kept",
      },
      uirevision: "kept",
    };
    box.opcharTurn = at;
    return root.Plotly.react(box, traces.map((trace) => solid(trace, ink)), layout, { displayModeBar: false, responsive: true });
  }

  function turners(box, place) {
    const made = [["turn", "Turn", -180, 180], ["height", "Tilt", -10, 90]].map(([key, text, low, high]) => {
      const label = document.createElement("label");
      const input = document.createElement("input");
      Object.assign(input, { type: "range", min: low, max: high, step: 2, value: TURN[key] });
      input.addEventListener("input", () => {
        box.opcharTurn = { ...(box.opcharTurn || TURN), [key]: Number(input.value) };
        if (box.layout) root.Plotly.relayout(box, { "scene.camera": { eye: eye(box.opcharTurn.turn, box.opcharTurn.height), center: CENTRE } });
      });
      label.append(text + " ", input);
      return label;
    });
    place.replaceChildren(...made);
  }

  function whenColoursChange(draw) {
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
  }

  OpChar.charts = { load, script, chart, view, turners, whenColoursChange };
})(window);
