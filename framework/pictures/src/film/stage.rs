//! The frames of a film.

use simhost_runs::Series;
use simhost_scene::Pose2;
use simhost_vectors::Fan;

use super::FilmOptions;
use crate::chart::{Chart, INK, MARK, Place, Sizes, of_series};
use crate::drawing::{Anchor, Colour, Drawing, Image, text_width};
use crate::forces::Forces;
use crate::picture::{Picture, ShapeKind, Track, View, axes, draw_shape, shortened};
use crate::plot::pose_at;
use crate::scene::{Scanner, VehicleShape, WheelShape, placed};
use crate::signals::NamedRun;

/// Width of the drawing that is scaled to the film, pixels.
const WIDTH: u32 = 1000;
/// Height of the drawing, pixels.
const HEIGHT: u32 = 750;
/// Height of the line with names and time, pixels.
const HEAD: u32 = 44;
/// Height of the line with the key of wheels, pixels.
const FOOT: u32 = 26;
/// Sizes of texts.
const SIZES: Sizes = Sizes { text: 17.0, below: 48, left: 74 };
/// Vehicles smaller than this are marked by a disc of this radius, pixels.
const SMALLEST: f32 = 5.0;
/// Names in the head.
const NAMES: usize = 8;

/// Colours of wheels that use no grip, half of it, and all of it.
const GRIP: [Colour; 3] = [Colour::hex(0x303030), Colour::hex(0xf0c020), Colour::hex(0xd01c00)];

/// Draws the frames of a film.
pub struct Stage<'a> {
    runs: &'a [NamedRun],
    actors: Vec<Actor<'a>>,
    chart: Chart,
    view: View,
    scale: f32,
    /// Axes, surroundings and names.
    background: Image,
    /// Time of the first and the last sample, s.
    pub start: f64,
    /// Time of the last sample, s.
    pub end: f64,
}

/// A vehicle of a run.
struct Actor<'a> {
    pose: &'a Series,
    /// Samples that are at least a pixel from the previous sample.
    path: Vec<usize>,
    shape: Option<&'a VehicleShape>,
    wheels: Vec<(&'a WheelShape, Forces<'a>)>,
    /// Lasers with their ranges.
    lasers: Vec<(&'a Scanner, &'a Series)>,
    /// Name next to the vehicle.
    label: Option<&'a str>,
    /// Length of a drawn force, m/N; otherwise the load is one vehicle length.
    force_scale: Option<f64>,
    colour: Colour,
}

impl<'a> Stage<'a> {
    /// Prepares a film.
    pub fn new(runs: &'a [NamedRun], options: &FilmOptions) -> Self {
        let mut actors = actors(runs, options);
        let ends = |pick: fn(&Series) -> Option<&f64>| {
            actors.iter().filter_map(move |actor| pick(actor.pose)).copied()
        };
        let start = ends(|pose| pose.times.first()).fold(f64::INFINITY, f64::min);
        let end = ends(|pose| pose.times.last()).fold(f64::NEG_INFINITY, f64::max);
        let (start, end) = if start <= end { (start, end) } else { (0.0, 0.0) };
        let mut drawing = Drawing::new(WIDTH, HEIGHT);
        let place = Place { left: 6, top: HEAD, width: WIDTH - 34, height: HEIGHT - HEAD - FOOT };
        let aspect = f64::from(place.width - SIZES.left) / f64::from(place.height - SIZES.below);
        let scene = runs.iter().find_map(|named| named.scene.as_ref());
        let shapes = scene.map(|scene| scene.shapes.clone()).unwrap_or_default();
        let picture = Picture { shapes, tracks: actors.iter().map(track).collect() };
        let view = View::of(&picture, aspect);
        let chart = axes(&mut drawing, place, SIZES, &view);
        for shape in &picture.shapes {
            draw_shape(&mut drawing, &chart, &view.clip(&shape.outline), shape.kind);
        }
        draw_names(&mut drawing, runs, &options.vehicles);
        draw_key(&mut drawing, &actors);
        let scale = options.width as f32 / WIDTH as f32;
        // video encoders want even sizes
        drawing.size = [WIDTH, HEIGHT];
        let mut background = Image::white(
            (options.width / 2) * 2,
            ((scale * HEIGHT as f32 / 2.0).round() * 2.0) as u32,
        );
        background.draw(&drawing, scale);
        for actor in &mut actors {
            actor.path = path(actor.pose, &chart);
        }
        Self { runs, actors, chart, view, scale, background, start, end }
    }

    /// Returns width and height of the frames, pixels.
    pub fn size(&self) -> [u32; 2] {
        [self.background.width, self.background.height]
    }

    /// Returns the frame of a time.
    pub fn frame(&self, time: f64) -> Image {
        let mut drawing = Drawing::new(WIDTH, HEIGHT);
        for actor in &self.actors {
            let Some(last) = actor.pose.sample_at(time) else { continue };
            let (x, y) = (&actor.pose.columns[0], &actor.pose.columns[1]);
            let end = actor.path.partition_point(|at| *at < last);
            let samples = actor.path[..end].iter().chain(std::iter::once(&last));
            for piece in self.chart.path(samples.map(|at| [x[*at], y[*at]])) {
                drawing.line(piece, actor.colour, 2.4);
            }
        }
        for actor in &self.actors {
            self.draw_lasers(&mut drawing, actor, time);
        }
        self.draw_movers(&mut drawing, time);
        for actor in &self.actors {
            self.draw_actor(&mut drawing, actor, time);
        }
        for actor in &self.actors {
            self.draw_label(&mut drawing, actor, time);
        }
        let text = format!("{time:.2} s");
        drawing.text(&text, [WIDTH as f32 - 14.0, 30.0], 22.0, INK, Anchor::End);
        let mut image = self.background.clone();
        image.draw(&drawing, self.scale);
        image
    }

    fn pixels(&self, outline: &[[f64; 2]]) -> Vec<[f32; 2]> {
        self.view.clip(outline).iter().map(|corner| self.chart.at(*corner)).collect()
    }

    /// Draws movable blocks and actors: at the poses that each run has recorded, or at their start
    /// in the first run.
    fn draw_movers(&self, drawing: &mut Drawing, time: f64) {
        let scenes = self.runs.iter().filter_map(|named| Some((named, named.scene.as_ref()?)));
        for (number, (named, scene)) in scenes.enumerate() {
            for mover in &scene.movers {
                let series = named.run.get(&mover.quantity);
                let pose = series.and_then(|series| pose_at(series, time));
                let Some(pose) = pose.or_else(|| (number == 0).then_some(mover.start)) else {
                    continue;
                };
                let outline = self.view.clip(&mover.at(pose));
                draw_shape(drawing, &self.chart, &outline, ShapeKind::Movable);
            }
        }
    }

    /// Draws the area that each laser of a vehicle has seen in its last scan.
    fn draw_lasers(&self, drawing: &mut Drawing, actor: &Actor<'_>, time: f64) {
        for (scanner, ranges) in &actor.lasers {
            let Some(at) = ranges.sample_at(time) else { continue };
            // the scan is shown where it was taken
            let Some(pose) = pose_at(actor.pose, ranges.times[at]) else { continue };
            let directions = Fan::new(scanner.field_of_view, ranges.columns.len());
            let ends = ranges.columns.iter().enumerate().map(|(ray, column)| {
                let angle = directions.direction(ray);
                let range = column[at];
                let range =
                    if range.is_finite() { range.min(scanner.reach) } else { scanner.reach };
                [range * angle.cos(), range * angle.sin()]
            });
            let fan: Vec<[f64; 2]> = std::iter::once([0.0; 2]).chain(ends).collect();
            let fan = self.pixels(&placed(&placed(&fan, scanner.pose), pose));
            if fan.len() > 2 {
                drawing.polygon(fan.clone(), actor.colour.with_alpha(0.1));
                drawing.outline(fan, actor.colour.with_alpha(0.35), 0.8);
            }
        }
    }

    /// Draws the name of a vehicle above it.
    fn draw_label(&self, drawing: &mut Drawing, actor: &Actor<'_>, time: f64) {
        let (Some(label), Some(pose)) = (actor.label, pose_at(actor.pose, time)) else { return };
        let [x, y] = self.chart.at([pose.x, pose.y]);
        let outline = actor.shape.map(|shape| placed(&shape.outline, pose)).unwrap_or_default();
        let top = outline.iter().map(|corner| self.chart.at(*corner)[1]).fold(y, f32::min);
        if [x, top].iter().all(|coordinate| coordinate.is_finite()) {
            let at = [x, top - 6.0];
            drawing.text(&shortened(label, 18), at, 0.8 * SIZES.text, INK, Anchor::Middle);
        }
    }

    fn draw_actor(&self, drawing: &mut Drawing, actor: &Actor<'_>, time: f64) {
        let Some(pose) = pose_at(actor.pose, time) else { return };
        if !(pose.x.is_finite() && pose.y.is_finite() && pose.yaw.is_finite()) {
            return;
        }
        let centre = self.chart.at([pose.x, pose.y]);
        let outline = actor.shape.map(|shape| placed(&shape.outline, pose)).unwrap_or_default();
        let corners = self.pixels(&outline);
        let size = |axis: usize| {
            let range = corners.iter().map(|corner| corner[axis]);
            range.clone().fold(f32::MIN, f32::max) - range.fold(f32::MAX, f32::min)
        };
        if corners.len() < 3 || size(0).max(size(1)) < 2.0 * SMALLEST {
            drawing.disc(centre, SMALLEST, actor.colour);
            return;
        }
        drawing.polygon(corners.clone(), actor.colour.with_alpha(0.35));
        drawing.outline(corners, actor.colour, 1.8);
        let length = length_of(actor.shape);
        for (wheel, forces) in &actor.wheels {
            let at = forces.times.partition_point(|sample| *sample <= time + 1e-9);
            let Some(at) = at.checked_sub(1) else { continue };
            let load = forces.load[at].max(1e-9);
            let scale = actor.force_scale.unwrap_or(length / load);
            self.draw_wheel(drawing, pose, wheel, forces, at, scale);
        }
    }

    /// Draws a steered wheel in the colour of the used grip at a sample, with the force of the ground, m/N.
    fn draw_wheel(
        &self,
        drawing: &mut Drawing,
        pose: Pose2,
        wheel: &WheelShape,
        forces: &Forces<'_>,
        at: usize,
        scale: f64,
    ) {
        let own = Pose2 { yaw: wheel.pose.yaw + forces.steer[at], ..wheel.pose };
        let (r, half) = (wheel.radius, 0.5 * wheel.width);
        let corners = [[-r, -half], [r, -half], [r, half], [-r, half]];
        let corners = placed(&placed(&corners, own), pose);
        drawing.polygon(self.pixels(&corners), grip_colour(forces.grip_used(at)));
        let [x, y] = forces.force.map(|force| force[at] * scale);
        let from = [wheel.pose.x, wheel.pose.y];
        let ends = placed(&[from, [from[0] + x, from[1] + y]], pose);
        let [from, to] = [self.chart.at(ends[0]), self.chart.at(ends[1])];
        if (to[0] - from[0]).hypot(to[1] - from[1]) > 2.0 {
            drawing.line(vec![from, to], INK, 2.0);
            drawing.disc(to, 2.6, INK);
        }
    }
}

/// Returns the vehicles of all runs. One colour per run if there are several, and otherwise per vehicle.
fn actors<'a>(runs: &'a [NamedRun], options: &FilmOptions) -> Vec<Actor<'a>> {
    let chosen = &options.vehicles;
    let mut actors = Vec::new();
    for (run, named) in runs.iter().enumerate() {
        for (number, vehicle) in named.run.vehicles.iter().enumerate() {
            let is_chosen = chosen.is_empty() || chosen.contains(vehicle);
            let pose = named.run.get(&format!("{vehicle}/pose"));
            let pose = pose.filter(|pose| pose.columns.len() > 3 && !pose.is_empty());
            let Some(pose) = pose.filter(|_| is_chosen) else { continue };
            let shape = named.scene.as_ref().and_then(|scene| scene.vehicle(vehicle));
            let wheels = shape.iter().flat_map(|shape| &shape.wheels);
            let wheels = wheels
                .filter_map(|wheel| Some((wheel, Forces::of(named, vehicle, &wheel.name)?)))
                .collect();
            let colour = of_series(if runs.len() > 1 { run } else { number });
            let ranges = |scanner: &'a Scanner| {
                let base = format!("{vehicle}/sensor/{}", scanner.name);
                let names = ["range", "ranges"].map(|name| format!("{base}/{name}"));
                let series = names.iter().find_map(|name| named.run.get(name));
                Some((scanner, series.filter(|series| !series.is_empty())?))
            };
            let scanners = shape.iter().flat_map(|shape| &shape.scanners);
            let scanners = scanners.filter(|_| options.has_lasers);
            let lasers = scanners.filter_map(ranges).collect();
            let label = options.has_labels.then_some(vehicle.as_str());
            let force_scale = named.scene.as_ref().and_then(|scene| scene.force_scale);
            let path = Vec::new();
            actors.push(Actor { pose, path, shape, wheels, lasers, label, force_scale, colour });
        }
    }
    actors
}

/// Returns the samples of a path that are at least a pixel from the previous sample.
fn path(pose: &Series, chart: &Chart) -> Vec<usize> {
    let mut kept: Vec<usize> = Vec::new();
    let mut last = [f32::NAN; 2];
    for (at, (x, y)) in pose.columns[0].iter().zip(&pose.columns[1]).enumerate() {
        let pixel = chart.at([*x, *y]);
        // one that is not finite breaks the path
        let is_near = (pixel[0] - last[0]).hypot(pixel[1] - last[1]) < 1.0;
        if !is_near {
            kept.push(at);
            last = pixel;
        }
    }
    kept
}

fn track(actor: &Actor<'_>) -> Track {
    let points = actor.pose.columns[0].iter().zip(&actor.pose.columns[1]);
    let at = |time: f64| {
        let shape = actor.shape?;
        Some(placed(&shape.outline, pose_at(actor.pose, time)?))
    };
    let ends = [actor.pose.times.first(), actor.pose.times.last()];
    let [start, end] = ends.map(|time| time.and_then(|time| at(*time)).unwrap_or_default());
    Track { name: String::new(), points: points.map(|(x, y)| [*x, *y]).collect(), start, end }
}

/// Returns the length of a vehicle, m.
fn length_of(shape: Option<&VehicleShape>) -> f64 {
    let corners = shape.map(|shape| shape.outline.as_slice()).unwrap_or_default();
    let xs = corners.iter().map(|corner| corner[0]);
    let (low, high) = (xs.clone().fold(f64::MAX, f64::min), xs.fold(f64::MIN, f64::max));
    if low < high { high - low } else { 1.0 }
}

fn draw_names(drawing: &mut Drawing, runs: &[NamedRun], chosen: &[String]) {
    let names: Vec<(String, Colour)> = match runs {
        [only] => {
            let vehicles = only.run.vehicles.iter().enumerate();
            let vehicles = vehicles.filter(|(_, name)| chosen.is_empty() || chosen.contains(*name));
            vehicles.map(|(number, name)| (name.clone(), of_series(number))).collect()
        }
        several => several
            .iter()
            .enumerate()
            .map(|(number, named)| (named.name.clone(), of_series(number)))
            .collect(),
    };
    let mut x = SIZES.left as f32 + 6.0;
    for (number, (name, colour)) in names.iter().enumerate() {
        let name = shortened(name, 18);
        let width = text_width(&name, SIZES.text);
        if number == NAMES || x + width > WIDTH as f32 - 220.0 {
            let text = format!("and {} more", names.len() - number);
            drawing.text(&text, [x, 29.0], SIZES.text, MARK, Anchor::Start);
            break;
        }
        drawing.line(vec![[x, 23.0], [x + 26.0, 23.0]], *colour, 5.0);
        drawing.text(&name, [x + 33.0, 29.0], SIZES.text, INK, Anchor::Start);
        x += width + 55.0;
    }
}

/// Draws the key of the colours of wheels.
fn draw_key(drawing: &mut Drawing, actors: &[Actor<'_>]) {
    let mut wheels = actors.iter().flat_map(|actor| &actor.wheels);
    let Some((_, first)) = wheels.next() else { return };
    let y = HEIGHT as f32 - 10.0;
    let mut x = SIZES.left as f32 + 6.0;
    let size = 0.85 * SIZES.text;
    let text = if first.mu.is_some() { "grip used: 0" } else { "force / load: 0" };
    drawing.text(text, [x, y], size, MARK, Anchor::Start);
    x += text_width(text, size) + 6.0;
    for step in 0..40 {
        let left = x + 4.0 * step as f32;
        // up to the end, under the steps that follow: edges next to each other would let the background through
        let end = x + 160.0 - left;
        let corners = [[0.0, -10.0], [end, -10.0], [end, 0.0], [0.0, 0.0]];
        let corners = corners.map(|[dx, dy]| [left + dx, y + dy]);
        drawing.polygon(corners.to_vec(), grip_colour(f64::from(step) / 39.0));
    }
    let text = if first.mu.is_some() { "100 %" } else { "1" };
    drawing.text(text, [x + 166.0, y], size, MARK, Anchor::Start);
    let text = match actors.iter().find_map(|actor| actor.force_scale) {
        Some(scale) => {
            format!("lines: force of the ground, 1 m for {} N", crate::text::short(1.0 / scale))
        }
        None => "lines: force of the ground, one vehicle length for the load".to_owned(),
    };
    drawing.text(&text, [WIDTH as f32 - 14.0, y], size, MARK, Anchor::End);
}

/// Returns the colour of a wheel by the used part of its grip.
fn grip_colour(used: f64) -> Colour {
    let used = if used.is_finite() { used.clamp(0.0, 1.0) as f32 } else { 0.0 };
    let (from, to, share) = match used < 0.5 {
        true => (GRIP[0], GRIP[1], 2.0 * used),
        false => (GRIP[1], GRIP[2], 2.0 * used - 1.0),
    };
    let mix = |k: usize| {
        let (from, to) = (f32::from(from.rgb[k]), f32::from(to.rgb[k]));
        (from + share * (to - from)).round() as u8
    };
    Colour { rgb: [mix(0), mix(1), mix(2)], alpha: 1.0 }
}
