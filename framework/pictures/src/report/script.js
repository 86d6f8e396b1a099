const data = JSON.parse(document.getElementById("data").textContent);
const SOFT = "#666";
const DASHES = [[], [8, 4], [2, 3], [10, 4, 2, 4], [14, 6], [4, 4]];
const FILLS = {
  grid: ["rgba(208,208,208,.7)", "#d0d0d0"], region: ["rgba(216,232,244,.6)", "#b0c8da"], map: ["#444", "#444"], wall: ["#b8b4ac", "#706c66"],
  obstacle: ["#b8b4ac", "#706c66"], movable: ["rgba(232,220,196,.8)", "#a09070"],
};
const state = { time: data.start, shown: data.vehicles.map(() => true), range: null };
const redraws = [];
const redraw = () => redraws.forEach((draw) => draw());

/** Returns the index of the last time that is not after `time`, at least 0. */
function indexAt(times, time) {
  let low = 0, high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] <= time + 1e-9) low = middle + 1; else high = middle;
  }
  return Math.max(low - 1, 0);
}

function place(outline, x, y, yaw) {
  const cos = Math.cos(yaw), sin = Math.sin(yaw), points = [];
  for (let k = 0; k < outline.length; k += 2) {
    points.push([x + outline[k] * cos - outline[k + 1] * sin, y + outline[k] * sin + outline[k + 1] * cos]);
  }
  return points;
}

function drawMap() {
  const canvas = document.getElementById("map");
  const chart = new Chart(canvas, 560, "x (m)", "y (m)");
  let view = null;
  const fit = () => {
    const inner = [(canvas.clientWidth || 800) - chart.left - chart.right, 560 - chart.top - chart.below];
    const [x0, y0, x1, y1] = data.view, scale = Math.max((x1 - x0) / inner[0], (y1 - y0) / inner[1]);
    const x = 0.5 * (x0 + x1), y = 0.5 * (y0 + y1);
    const half = [0.5 * scale * inner[0], 0.5 * scale * inner[1]];
    view = [x - half[0], x + half[0], y - half[1], y + half[1]];
  };
  redraws.push(() => {
    if (!view) fit();
    chart.begin(...view);
    for (const shape of data.shapes) {
      const points = [];
      for (let k = 0; k < shape.p.length; k += 2) points.push([shape.p[k], shape.p[k + 1]]);
      chart.fill(points, ...(shape.c ? [shape.c, shape.c] : FILLS[shape.k]));
    }
    for (const mover of data.movers) {
      const k = mover.t < 0 ? 0 : indexAt(data.times[mover.t], state.time);
      if (mover.x[k] !== null) chart.fill(place(mover.p, mover.x[k], mover.y[k], mover.a[k]), ...FILLS.movable);
    }
    data.vehicles.forEach((vehicle, number) => {
      if (!state.shown[number]) return;
      chart.path(vehicle.x.map((x, k) => [x, vehicle.y[k]]), vehicle.c, 2);
      chart.path(vehicle.ox.map((x, k) => [x, vehicle.oy[k]]), vehicle.c, 1.4, [6, 4]);
    });
    data.vehicles.forEach((vehicle, number) => {
      if (!state.shown[number] || !vehicle.t.length) return;
      const k = indexAt(vehicle.t, state.time), pose = [vehicle.x[k], vehicle.y[k], vehicle.a[k]];
      if (pose[0] === null || pose[1] === null) return;
      if (vehicle.o.length) chart.fill(place(vehicle.o, ...pose), vehicle.c + "73", vehicle.c);
      for (const wheel of vehicle.w) {
        const steer = wheel.steer.length ? wheel.steer[indexAt(data.times[wheel.t], state.time)] || 0 : 0;
        const corners = [-wheel.r, -wheel.b, wheel.r, -wheel.b, wheel.r, wheel.b, -wheel.r, wheel.b];
        const own = place(corners, wheel.x, wheel.y, wheel.a + steer).flat();
        chart.fill(place(own, ...pose), "#333");
      }
      const pen = chart.pen;
      pen.beginPath();
      pen.arc(chart.x(pose[0]), chart.y(pose[1]), 4, 0, 7);
      pen.fillStyle = vehicle.c;
      pen.fill();
    });
    chart.end();
  });
  chart.listen({
    zoom: (factor, x, y) => { view = zoomed(view, factor, x, y); },
    pan: (dx, dy) => { view = shifted(view, dx, dy); },
    reset: fit,
    redraw,
  });
}

// Adds a picture with a caption to an element of the page.
function addFigure(id) {
  const figure = document.createElement("figure"), canvas = document.createElement("canvas");
  const caption = document.createElement("figcaption");
  figure.append(canvas, caption);
  document.getElementById(id).append(figure);
  return [figure, canvas, caption];
}

/** Shows the name of every line with its colour, its dashes and its value. */
function legend(caption, lines, valueOf) {
  caption.replaceChildren(...lines.map((line) => {
    const entry = document.createElement("span"), mark = document.createElement("canvas");
    mark.width = 28;
    mark.height = 8;
    const pen = mark.getContext("2d");
    pen.strokeStyle = line.c;
    pen.lineWidth = 2.5;
    pen.setLineDash(DASHES[line.d % DASHES.length]);
    pen.beginPath();
    pen.moveTo(0, 4);
    pen.lineTo(28, 4);
    pen.stroke();
    entry.append(mark, ` ${line.n} ${valueOf(line)}`);
    return entry;
  }));
}

function drawSeries(group) {
  const [figure, canvas, caption] = addFigure("plots");
  const chart = new Chart(canvas, 230, "time (s)", group.q);
  redraws.push(() => {
    figure.hidden = !group.on;
    if (!group.on) return;
    const [t0, t1] = state.range || [data.start, data.end];
    const lines = group.lines.filter((line) => line.v < 0 || state.shown[line.v]);
    let low = Infinity, high = -Infinity;
    for (const line of lines) {
      const times = data.times[line.t];
      for (let k = indexAt(times, t0); k < times.length && times[k] <= t1; k++) {
        const value = line.y[k];
        if (value !== null) { low = Math.min(low, value); high = Math.max(high, value); }
      }
    }
    if (low > high) { low = 0; high = 1; }
    const margin = 0.05 * (high - low) || 0.1 * Math.abs(high) || 1;
    chart.begin(t0, t1, low - margin, high + margin);
    for (const line of lines) {
      const times = data.times[line.t];
      chart.path(line.y.map((value, k) => [times[k], value]), line.c, 1.8, DASHES[line.d % DASHES.length]);
    }
    chart.path([[state.time, low - margin], [state.time, high + margin]], SOFT, 1, [4, 3]);
    chart.end();
    const largest = Math.max(Math.abs(low), Math.abs(high), 1e-12);
    // at the cursor, otherwise at the time of the page
    const time = chart.cursor ? chart.cursor[0] : state.time;
    legend(caption, lines, (line) => valueText(line.y[indexAt(data.times[line.t], time)], largest));
  });
  const bound = ([from, to]) => {
    const span = Math.min(to - from, data.end - data.start);
    const start = Math.min(Math.max(from, data.start), data.end - span);
    state.range = [start, start + span];
  };
  chart.listen({
    zoom: (factor, x) => {
      const [from, to] = state.range || [data.start, data.end];
      if (factor > 1 || to - from > 1e-6) bound([x + (from - x) * factor, x + (to - x) * factor]);
    },
    pan: (dx) => { const [from, to] = state.range || [data.start, data.end]; bound([from + dx, to + dx]); },
    reset: () => { state.range = null; },
    hover: setTime,
    redraw,
  });
}

function drawCircle(wheel) {
  const [figure, canvas, caption] = addFigure("circles");
  const chart = new Chart(canvas, 270, "lateral force / load (1)", "longitudinal force / load (1)");
  const vehicle = data.vehicles[wheel.v], times = data.times[wheel.t];
  redraws.push(() => {
    figure.hidden = !state.shown[wheel.v];
    if (figure.hidden) return;
    const half = 1.15 * wheel.limit, inner = [(canvas.clientWidth || 250) - chart.left - chart.right, 270 - chart.top - chart.below];
    const wide = half * Math.max(1, inner[0] / inner[1]), high = half * Math.max(1, inner[1] / inner[0]);
    // left is to the left
    chart.begin(wide, -wide, -high, high);
    const ring = (radius) => Array.from({ length: 61 }, (_, k) => [radius * Math.cos(k * Math.PI / 30), radius * Math.sin(k * Math.PI / 30)]);
    if (wheel.mu !== null) chart.path(ring(wheel.mu), INK, 1.2, [5, 4]);
    chart.path([[0, -high], [0, high]], "#bbb", 1);
    chart.path([[wide, 0], [-wide, 0]], "#bbb", 1);
    const pen = chart.pen;
    pen.fillStyle = vehicle.c + "55";
    for (let k = 0; k < wheel.x.length; k++) {
      if (wheel.x[k] !== null) pen.fillRect(chart.x(wheel.y[k]) - 1.2, chart.y(wheel.x[k]) - 1.2, 2.4, 2.4);
    }
    const k = indexAt(times, state.time), used = Math.hypot(wheel.x[k], wheel.y[k]);
    chart.path([[0, 0], [wheel.y[k], wheel.x[k]]], INK, 2);
    pen.beginPath();
    pen.arc(chart.x(wheel.y[k]), chart.y(wheel.x[k]), 4, 0, 7);
    pen.fillStyle = INK;
    pen.fill();
    chart.end();
    const share = wheel.mu ? `, ${Math.round(100 * used / wheel.mu)} % of the grip` : "";
    caption.textContent = `${vehicle.n} ${wheel.n}: ${used.toFixed(3)}${share}`;
  });
}

function drawScan(scan) {
  const [figure, canvas, caption] = addFigure("scans");
  const chart = new Chart(canvas, 300, "ahead (m)", "left (m)");
  redraws.push(() => {
    figure.hidden = scan.v >= 0 && !state.shown[scan.v];
    if (figure.hidden || !scan.t.length) return;
    const k = indexAt(scan.t, state.time), ranges = scan.r[k];
    const inner = [(canvas.clientWidth || 250) - chart.left - chart.right, 300 - chart.top - chart.below];
    const half = 1.05 * scan.reach, least = Math.min(...inner);
    chart.begin(-half * inner[0] / least, half * inner[0] / least, -half * inner[1] / least, half * inner[1] / least);
    const ends = ranges.map((range, ray) => {
      if (range === null) return [null, null];
      const angle = ranges.length > 1 ? scan.fov * (ray / (ranges.length - 1) - 0.5) : 0;
      return [range * Math.cos(angle), range * Math.sin(angle)];
    });
    const whole = ends.filter(([x]) => x !== null);
    if (whole.length) chart.fill([[0, 0], ...whole], "rgba(0,114,178,.15)", "");
    chart.pen.fillStyle = "#0072b2";
    for (const [x, y] of whole) chart.pen.fillRect(chart.x(x) - 1.5, chart.y(y) - 1.5, 3, 3);
    chart.end();
    caption.textContent = `${scan.n} at ${scan.t[k].toFixed(3)} s, sensor frame`;
  });
}

function drawImages(camera) {
  const figure = document.createElement("figure"), image = document.createElement("img");
  const caption = document.createElement("figcaption");
  figure.append(image, caption);
  document.getElementById("images").append(figure);
  let shown = -1;
  redraws.push(() => {
    const k = indexAt(camera.t, state.time);
    if (k === shown) return;
    shown = k;
    image.setAttribute("src", "data:image/png;base64," + camera.i[k]);
    image.alt = camera.n;
    caption.textContent = `${camera.n} at ${camera.t[k].toFixed(3)} s`;
  });
}

function drawCloud(lidar) {
  const [, canvas, caption] = addFigure("clouds");
  const chart = new Chart(canvas, 380, "ahead (m)", "left (m)");
  let reach = 1, low = Infinity, high = -Infinity;
  for (const points of lidar.p) {
    for (let k = 0; k < points.length; k += 3) {
      reach = Math.max(reach, Math.abs(points[k]), Math.abs(points[k + 1]));
      low = Math.min(low, points[k + 2]);
      high = Math.max(high, points[k + 2]);
    }
  }
  redraws.push(() => {
    const k = indexAt(lidar.t, state.time), points = lidar.p[k];
    const inner = [(canvas.clientWidth || 250) - chart.left - chart.right, 380 - chart.top - chart.below];
    const half = 1.05 * reach, least = Math.min(...inner);
    chart.begin(-half * inner[0] / least, half * inner[0] / least, -half * inner[1] / least, half * inner[1] / least);
    for (let k = 0; k < points.length; k += 3) {
      const share = high > low ? (points[k + 2] - low) / (high - low) : 0;
      chart.pen.fillStyle = `hsl(${240 - 180 * share}, 70%, ${30 + 20 * share}%)`;
      chart.pen.fillRect(chart.x(points[k]) - 1, chart.y(points[k + 1]) - 1, 2, 2);
    }
    chart.end();
    caption.textContent = `${lidar.n} at ${lidar.t[k].toFixed(3)} s, z from ${low.toFixed(2)} m to ${high.toFixed(2)} m`;
  });
}

function setTime(time) {
  state.time = Math.min(Math.max(time, data.start), data.end);
  document.getElementById("time").value = state.time;
  document.getElementById("now").textContent = `${state.time.toFixed(3)} s`;
}

function checkbox(parent, text, colour, checked, change) {
  const label = document.createElement("label"), box = document.createElement("input");
  box.type = "checkbox";
  box.checked = checked;
  box.addEventListener("change", () => { change(box.checked); redraw(); });
  label.append(box);
  if (colour) {
    const mark = document.createElement("i");
    mark.style.background = colour;
    label.append(mark);
  }
  label.append(text);
  parent.append(label, " ");
}

function start() {
  const slider = document.getElementById("time");
  slider.min = data.start;
  slider.max = data.end;
  slider.addEventListener("input", () => { setTime(+slider.value); redraw(); });
  let playing = null;
  document.getElementById("play").addEventListener("click", (event) => {
    event.target.textContent = playing ? "▶" : "❚❚";
    if (playing) { cancelAnimationFrame(playing); playing = null; return; }
    if (state.time >= data.end) setTime(data.start);
    let last = performance.now();
    const next = (now) => {
      setTime(state.time + (now - last) / 1000);
      last = now;
      redraw();
      if (state.time < data.end) playing = requestAnimationFrame(next);
      else { playing = null; event.target.textContent = "▶"; }
    };
    playing = requestAnimationFrame(next);
  });
  const names = document.getElementById("names");
  if (data.vehicles.length <= 40) {
    data.vehicles.forEach((vehicle, k) => checkbox(names, vehicle.n, vehicle.c, true, (on) => { state.shown[k] = on; }));
  }
  const choice = document.getElementById("choice");
  for (const group of data.charts) {
    checkbox(choice, group.q, null, group.on, (on) => { group.on = on; });
    drawSeries(group);
  }
  document.getElementById("charts").hidden = !data.charts.length;
  data.wheels.forEach(drawCircle);
  document.getElementById("forces").hidden = !data.wheels.length;
  data.scans.forEach(drawScan);
  document.getElementById("sensors").hidden = !data.scans.length;
  data.images.forEach(drawImages);
  document.getElementById("cameras").hidden = !data.images.length;
  data.clouds.forEach(drawCloud);
  document.getElementById("lidars").hidden = !data.clouds.length;
  drawMap();
  setTime(data.end);
  redraw();
  window.addEventListener("resize", redraw);
  // the width of a sheet of paper is another one
  window.addEventListener("beforeprint", redraw);
  window.matchMedia("print").addEventListener("change", redraw);
}
start();
