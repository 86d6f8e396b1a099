const data = JSON.parse(document.getElementById("data").textContent);
const main = document.querySelector("main");
const RUN = 0, ID = 1, VALUES = 2, METRICS = 3, STATUS = 4, REASON = 5, MOST_ROWS = 1000;
const BLUE = "#2563a8";
const isBad = (row) => !["ok", "failed"].includes(row[STATUS]);
const good = data.rows.filter((row) => !isBad(row));
const text = (value) => (value === null ? "–" : String(+value.toPrecision(5)));

/** What varies: its values as numbers, or as the places of texts in their order. */
const variables = data.varied.map((name, k) => {
  const texts = data.rows.map((row) => row[VALUES][k]);
  const isNumeric = texts.every((one) => one !== "" && isFinite(one));
  const order = [...new Set(texts)];
  const of = (row) => (isNumeric ? +row[VALUES][k] : order.indexOf(row[VALUES][k]));
  return { name, of, order: isNumeric ? null : order, isFew: order.length <= 24 };
}).filter((one) => new Set(data.rows.map(one.of)).size > 1);
const metrics = data.metrics.map((name, k) => ({ name, of: (row) => row[METRICS][k] }));

function element(parent, tag, content, properties = {}) {
  const made = Object.assign(document.createElement(tag), properties);
  if (content !== undefined) made.textContent = content;
  parent.append(made);
  return made;
}
function section(title, hint) {
  const made = element(main, "section");
  element(made, "h2", title);
  if (hint) element(made, "p", hint, { className: "hint" });
  return made;
}
function table(parent, header, rows) {
  const made = element(parent, "table");
  const head = element(made, "tr");
  header.forEach((cell) => element(head, "th", cell));
  rows.forEach((row) => { const line = element(made, "tr"); row.forEach((cell) => element(line, "td", cell)); });
  return made;
}

/** A chart with a caption, which `paint(chart)` draws whenever the wheel, a drag or the cursor changes it. */
function plot(parent, caption, [x0, x1], [y0, y1], [xLabel, yLabel], paint) {
  const figure = element(parent, "figure"), text = element(figure, "figcaption", caption);
  const canvas = element(figure, "canvas");
  const chart = new Chart(canvas, canvas.clientHeight || 240, xLabel, yLabel);
  const margin = ([from, to]) => 0.04 * (to - from) || 0.5 * Math.abs(to) || 0.5;
  const [dx, dy] = [margin([x0, x1]), margin([y0, y1])], whole = [x0 - dx, x1 + dx, y0 - dy, y1 + dy];
  let view = whole;
  const redraw = () => {
    chart.begin(...view);
    paint(chart);
    chart.end();
    text.textContent = chart.cursor ? `${caption}: ${chart.cursorText()}` : caption;
  };
  chart.listen({
    zoom: (factor, x, y) => { view = zoomed(view, factor, x, y); },
    pan: (dx, dy) => { view = shifted(view, dx, dy); },
    reset: () => { view = whole; },
    redraw,
  });
  window.addEventListener("resize", redraw);
  redraw();
}
const dot = (chart, x, y, colour, size = 2) => {
  chart.pen.fillStyle = colour;
  chart.pen.fillRect(chart.x(x) - size / 2, chart.y(y) - size / 2, size, size);
};
const extent = (values) => values.reduce(([low, high], one) => [Math.min(low, one), Math.max(high, one)], [Infinity, -Infinity]);
const sample = (rows, most) => rows.filter((_, k) => k % Math.ceil(rows.length / most || 1) === 0);
const colour = (part) => `hsl(${240 - 240 * part} 75% 42%)`;

/** Means of a metric over groups of runs with about the same value of a variable. */
function groups(rows, variable, metric) {
  const known = rows.filter((row) => metric.of(row) !== null).map((row) => [variable.of(row), metric.of(row)]);
  const [low, high] = extent(known.map((one) => one[0]));
  const key = (value) => (variable.isFew ? value : Math.min(9, Math.floor((value - low) / (high - low || 1) * 10)));
  const all = new Map();
  known.forEach(([x, y]) => { const one = all.get(key(x)) || { x: 0, y: 0, n: 0 }; one.x += x; one.y += y; one.n++; all.set(key(x), one); });
  return [...all.values()].map((one) => [one.x / one.n, one.y / one.n]).sort((one, other) => one[0] - other[0]);
}

const bad = data.rows.filter(isBad);
if (bad.length) {
  const own = section(`Failures: ${bad.length} of ${data.rows.length} runs`);
  const list = bad.slice(0, 50).map((row) => [row[RUN], row[ID], row[STATUS], row[REASON], row[VALUES].join(", ")]);
  table(own, ["run", "id", "status", "reason", data.varied.join(", ")], list);
}

if (metrics.length) {
  const own = section("Metrics", "Histograms of the runs that have a value; the lines are the quantiles 5 %, 50 % and 95 %.");
  const cells = element(own, "div", undefined, { className: "cells" }), rows = [];
  for (const metric of metrics) {
    const values = good.map(metric.of).filter((one) => one !== null).sort((one, other) => one - other);
    if (!values.length) { rows.push([metric.name, "0", "–", "–", "–", "–", "–", "–"]); continue; }
    const at = (part) => values[Math.round(part * (values.length - 1))];
    const mean = values.reduce((sum, one) => sum + one, 0) / values.length;
    const spread = Math.sqrt(values.reduce((sum, one) => sum + (one - mean) ** 2, 0) / Math.max(values.length - 1, 1));
    rows.push([metric.name, values.length, text(mean), text(spread), text(values[0]), text(at(0.05)), text(at(0.5)), text(at(0.95)), text(values[values.length - 1])]);
    const low = values[0], high = values[values.length - 1], bins = Math.min(40, Math.ceil(Math.sqrt(values.length)));
    const counts = new Array(bins).fill(0);
    values.forEach((one) => counts[Math.min(bins - 1, Math.floor((one - low) / (high - low || 1) * bins))]++);
    const most = Math.max(...counts), width = high - low || 1, first = low - (high > low ? 0 : 0.5);
    plot(cells, metric.name, [first, first + width], [0, most], [metric.name, "runs"], (chart) => {
      counts.forEach((count, k) => {
        const [from, to] = [k, k + 1].map((edge) => first + width * edge / bins);
        chart.fill([[from, 0], [from, count], [to, count], [to, 0]], "rgba(37,99,168,.55)", "#fff");
      });
      [0.05, 0.5, 0.95].forEach((part) => chart.path([[at(part), 0], [at(part), most]], INK, part === 0.5 ? 1.5 : 0.8));
    });
  }
  table(own, ["metric", "runs", "mean", "standard deviation", "least", "5 %", "50 %", "95 %", "greatest"], rows);
}

/** Curves of runs over time, coloured by what varies. */
{
  const [names, period, runs] = data.curves, rows = new Map(data.rows.map((row) => [row[RUN], row]));
  const shown = runs.filter(([run]) => rows.has(run));
  if (names.length && shown.length) {
    const own = section("Curves", `${shown.length} of ${data.rows.length} runs over time, which have been simulated again.`);
    const bar = element(own, "p", variables.length ? "colour: " : "", { className: "key" });
    const choice = variables.length > 1 ? element(bar, "select") : null;
    variables.forEach((one) => choice && element(choice, "option", one.name));
    const key = element(bar, "span", !choice && variables.length ? variables[0].name + " " : ""), cells = element(own, "div", undefined, { className: "cells wide" });
    const draw = () => {
      const by = variables[choice ? choice.selectedIndex : 0];
      const values = shown.map(([run]) => (by ? by.of(rows.get(run)) : 0)), [low, high] = extent(values);
      const part = (value) => (value - low) / (high - low || 1);
      if (by) {
        key.replaceChildren(...(key.firstChild && key.firstChild.nodeType === 3 ? [key.firstChild] : []));
        const marks = by.order ? by.order.map((name, k) => [k, name]) : by.isFew && new Set(values).size <= 8
          ? [...new Set(values)].sort((one, other) => one - other).map((one) => [one, text(one)]) : null;
        if (marks) marks.forEach(([at, name]) => { element(key, "i").style.background = colour(part(at)); element(key, "span", name); });
        else {
          element(key, "span", text(low));
          element(key, "i", undefined, { className: "ramp" }).style.background = `linear-gradient(90deg, ${[0, 0.25, 0.5, 0.75, 1].map(colour).join(",")})`;
          element(key, "span", text(high));
        }
      }
      cells.replaceChildren();
      const order = shown.map((_, k) => k).sort((one, other) => values[one] - values[other]);
      names.forEach((name, n) => {
        const all = shown.flatMap(([, curves]) => curves[n]).filter((one) => one !== null);
        if (!all.length) return;
        const longest = Math.max(...shown.map(([, curves]) => curves[n].length));
        plot(cells, name, [0, (longest - 1) * period], extent(all), ["time [s]", name], (chart) => {
          chart.pen.globalAlpha = Math.max(0.25, Math.min(0.9, 30 / shown.length));
          order.forEach((k) => {
            const points = shown[k][1][n].map((value, at) => [at * period, value]).filter((one) => one[1] !== null);
            chart.path(points, by ? colour(part(values[k])) : BLUE, 1.2);
          });
          chart.pen.globalAlpha = 1;
        });
      });
    };
    if (choice) choice.onchange = draw;
    draw();
  }
}

if (data.sobol.length) {
  const own = section("Sobol indices", "Part of the variance of a metric that comes from a variable alone, and with all its interactions.");
  data.sobol.forEach(([metric, indices]) => table(own, [metric, "alone", "with interactions"], indices.map(([name, first, total]) => [name, text(first), text(total)])));
}

if (metrics.length && variables.length) {
  const effects = section("Main effects", "Each point is a run, the line the mean of the runs with about this value. Colours: the first variable, low blue to high red.");
  const cells = element(effects, "div", undefined, { className: "cells" }), first = variables[0], range = extent(good.map(first.of));
  for (const metric of metrics) for (const variable of variables) {
    const known = good.filter((row) => metric.of(row) !== null);
    if (!known.length) continue;
    const labels = [variable.order ? variable.order.join(" · ").slice(0, 40) : variable.name, metric.name];
    const means = groups(good, variable, metric);
    plot(cells, `${metric.name} by ${variable.name}`, extent(known.map(variable.of)), extent(known.map(metric.of)), labels, (chart) => {
      sample(known, 2000).forEach((row) => dot(chart, variable.of(row), metric.of(row), colour((first.of(row) - range[0]) / (range[1] - range[0] || 1)), 3));
      chart.path(means, INK, 2);
    });
  }
  if (variables.length > 1) {
    const own = section("Interactions", "Means over one variable, for the low (blue), middle and high (red) third of another one.");
    const pairs = element(own, "div", undefined, { className: "cells" });
    for (const metric of metrics.slice(0, 4)) for (const x of variables.slice(0, 5)) for (const by of variables.slice(0, 5)) {
      if (x === by) continue;
      const sorted = good.filter((row) => metric.of(row) !== null).sort((one, other) => by.of(one) - by.of(other));
      const lines = [0, 1, 2].map((k) => groups(sorted.slice(Math.floor(k * sorted.length / 3), Math.floor((k + 1) * sorted.length / 3)), x, metric)).filter((line) => line.length);
      if (!lines.length) continue;
      const all = lines.flat();
      plot(pairs, `${metric.name} by ${x.name}, for ${by.name}`, extent(all.map((one) => one[0])), extent(all.map((one) => one[1])), [x.name, metric.name], (chart) => {
        lines.forEach((line, k) => chart.path(line, colour(k / 2), 1.5));
      });
    }
  }
  const own = section("Parallel coordinates", "One line per run; colours follow the last axis.");
  const canvas = element(own, "canvas", undefined, { id: "parallel" }), axes = [...variables, ...metrics];
  const pen = canvas.getContext("2d"), scale = window.devicePixelRatio || 1, width = canvas.clientWidth || 1000, height = 320;
  Object.assign(canvas, { width: width * scale, height: height * scale });
  pen.scale(scale, scale);
  pen.font = "11px system-ui, sans-serif";
  pen.textAlign = "center";
  const ends = axes.map((axis) => extent(good.map(axis.of).filter((one) => one !== null)));
  const part = (row, k) => (axes[k].of(row) - ends[k][0]) / (ends[k][1] - ends[k][0] || 1);
  const place = (k) => 70 + k * (width - 140) / Math.max(axes.length - 1, 1);
  pen.globalAlpha = Math.max(0.05, Math.min(0.8, 200 / good.length));
  sample(good, 2000).filter((row) => axes.every((axis) => axis.of(row) !== null)).forEach((row) => {
    pen.strokeStyle = colour(part(row, axes.length - 1));
    pen.beginPath();
    axes.forEach((_, k) => pen.lineTo(place(k), height - 30 - part(row, k) * (height - 60)));
    pen.stroke();
  });
  pen.globalAlpha = 1;
  pen.fillStyle = pen.strokeStyle = INK;
  axes.forEach((axis, k) => {
    pen.strokeRect(place(k), 30, 0.5, height - 60);
    // names at the ends stay inside
    pen.textAlign = k === 0 ? "left" : k === axes.length - 1 ? "right" : "center";
    pen.fillText(axis.name.slice(-28), place(k) + (k === 0 ? -60 : k === axes.length - 1 ? 60 : 0), 12);
    pen.textAlign = "center";
    pen.fillText(text(ends[k][1]), place(k), 26);
    pen.fillText(text(ends[k][0]), place(k), height - 14);
  });
}

{
  const own = section(`Runs`, `Click on a column to sort. A filter is a condition such as mu < 0.8, by a part of the name of a column, or a text. At most ${MOST_ROWS} rows are shown.`);
  const filter = element(own, "input", undefined, { placeholder: "filter", size: 40 }), count = element(own, "span");
  const columns = [["run", (row) => row[RUN]], ["id", (row) => row[ID]], ["status", (row) => row[STATUS]],
    ...data.varied.map((name, k) => [name, (row) => (isFinite(row[VALUES][k]) ? +row[VALUES][k] : row[VALUES][k])]),
    ...metrics.map((metric) => [metric.name, metric.of]), ["reason", (row) => row[REASON]]];
  const box = element(own, "div", undefined, { className: "rows" });
  let order = null, sign = 1;
  const accepts = (words) => {
    const match = words.match(/^\s*(.+?)\s*(<=|>=|<|>|=)\s*(\S+)\s*$/);
    if (!match) return (row) => columns.some(([, of]) => String(of(row)).includes(words.trim()));
    const column = columns.find(([name]) => name.includes(match[1])), wanted = isFinite(match[3]) ? +match[3] : match[3];
    const tests = { "<": (x) => x < wanted, ">": (x) => x > wanted, "<=": (x) => x <= wanted, ">=": (x) => x >= wanted, "=": (x) => x === wanted };
    return column ? (row) => column[1](row) !== null && tests[match[2]](column[1](row)) : () => false;
  };
  const draw = () => {
    let rows = data.rows.filter(accepts(filter.value));
    if (order) rows = [...rows].sort((one, other) => { const [x, y] = [order(one), order(other)]; return sign * (x === null ? 1 : y === null ? -1 : x < y ? -1 : x > y ? 1 : 0); });
    box.replaceChildren();
    count.textContent = `${rows.length} runs`;
    const made = element(box, "table"), head = element(made, "tr");
    columns.forEach(([name, of]) => { element(head, "th", name, { className: "sort" }).onclick = () => { sign = order === of ? -sign : 1; order = of; draw(); }; });
    rows.slice(0, MOST_ROWS).forEach((row) => {
      const line = element(made, "tr", undefined, { className: isBad(row) ? "bad" : "" });
      columns.forEach(([, of]) => { const value = of(row); element(line, "td", typeof value === "number" ? text(value) : value === null ? "–" : value); });
    });
  };
  filter.oninput = draw;
  draw();
}
