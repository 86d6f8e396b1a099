//! The surface of a road as a terrain.
//!
//! Two neighbouring points of the reference line and their normals bound a strip of the road. The normal at a point halves
//! the angle between the segments next to it, so that columns are parallel to the segments. A point at the distance v from
//! a segment is at the part of the segment that it divides between the two normals.

use simhost_scene::HeightField;

use super::header::FORMAT;
use super::{CrgOptions, CrgRoad};
use crate::terrain::fill_from_nearest;
use crate::{Limits, Problem};

/// Width by which strips overlap, as a part of the distance between samples.
const OVERLAP: f64 = 1e-9;

/// Largest number of visits of samples and of rows of samples.
const MOST_VISITS: usize = 200_000_000;

/// A strip between two rows.
struct Strip {
    row: usize,
    /// Points of the reference line.
    ends: [[f64; 2]; 2],
    /// Normals at these points, whose component across the segment is 1.
    normals: [[f64; 2]; 2],
    /// Unit vector along the segment.
    along: [f64; 2],
}

impl Strip {
    /// Returns the corners: on the right at both ends, then on the left.
    fn corners(&self, [right, left]: [f64; 2]) -> [[f64; 2]; 4] {
        let at = |end: usize, v: f64| {
            [0, 1].map(|axis| self.ends[end][axis] + v * self.normals[end][axis])
        };
        [at(0, right), at(1, right), at(1, left), at(0, left)]
    }

    /// Returns the part of the strip at which a point is, and its distance to the left of the line, m.
    fn place(&self, point: [f64; 2]) -> [f64; 2] {
        let from = |end: usize| [0, 1].map(|axis| point[axis] - self.ends[end][axis]);
        let dot = |a: [f64; 2], b: [f64; 2]| a[0] * b[0] + a[1] * b[1];
        let across = [-self.along[1], self.along[0]];
        let v = dot(from(0), across);
        let begin = dot(from(0), self.along) - v * dot(self.normals[0], self.along);
        let end = dot(from(1), self.along) - v * dot(self.normals[1], self.along);
        [begin / (begin - end), v]
    }
}

/// The places of the samples.
struct SurfaceSamples {
    /// Position of the first sample, m.
    low: [f64; 2],
    /// Distance between samples, m.
    resolution: f64,
    /// Numbers of samples along x and y.
    size: [usize; 2],
}

impl CrgRoad {
    /// Returns the road as a terrain.
    ///
    /// # Errors
    /// The road folds, or the terrain exceeds the limits.
    pub fn to_field(&self, options: &CrgOptions, limits: &Limits) -> Result<HeightField, Problem> {
        let resolution = options.resolution.unwrap_or_else(|| self.finest());
        if !(resolution > 0.0 && resolution.is_finite()) {
            let expected = "a length in m, greater than 0";
            return Err(Problem::Option { name: "resolution", value: resolution, expected });
        }
        let edges = [self.columns[0], self.columns[self.columns.len() - 1]];
        let strips = self.strips()?;
        let corners = || strips.iter().flat_map(|strip| strip.corners(edges));
        let extreme = |axis: usize, pick: fn(f64, f64) -> f64| {
            corners().map(|corner| corner[axis]).reduce(pick).unwrap_or(0.0)
        };
        let low = [0, 1].map(|axis| extreme(axis, f64::min));
        let size = [0, 1].map(|axis| {
            let cells = (extreme(axis, f64::max) - low[axis]) / resolution;
            // the cast saturates, so that a size above the limit stays above it
            ((cells - 1e-6).ceil().max(1.0) as usize).saturating_add(1)
        });
        let samples = size[0].saturating_mul(size[1]) as u64;
        if samples > limits.max_vertices as u64 {
            let text = format!(
                "a terrain of {} × {} samples at a resolution of {resolution} m; expected at most {}",
                size[0], size[1], limits.max_vertices
            );
            return Err(Problem::Unsupported {
                detail: text,
                remedy: "write a coarser <resolution>",
            });
        }
        let mut heights = vec![f64::NAN; size[0] * size[1]];
        let mut visits = 0;
        let samples =
            SurfaceSamples { low: [low[0], low[1]], resolution, size: [size[0], size[1]] };
        for strip in &strips {
            visits += self.fill(strip, edges, &samples, &mut heights);
            if visits > MOST_VISITS {
                let text = "the road covers itself too often, or has too many rows for its width";
                let remedy = "write a coarser <resolution>, or fewer rows";
                return Err(Problem::Unsupported { detail: text.to_owned(), remedy });
            }
        }
        if heights.iter().all(|height| height.is_nan()) {
            let text = format!("no sample lies on the road at a resolution of {resolution} m");
            return Err(Problem::Unsupported {
                detail: text,
                remedy: "write a finer <resolution>",
            });
        }
        fill_from_nearest(&mut heights, resolution, size);
        let [dx, dy, dz] = options.offset;
        let heights = heights.into_iter().map(|height| (height + dz) as f32).collect();
        Ok(HeightField::new([low[0] + dx, low[1] + dy], resolution, size, heights)?)
    }

    /// Returns the smallest distance of rows or columns, m.
    fn finest(&self) -> f64 {
        let columns = self.columns.windows(2).map(|pair| pair[1] - pair[0]);
        columns.fold(self.increment, f64::min)
    }

    fn strips(&self) -> Result<Vec<Strip>, Problem> {
        let directions: Vec<[f64; 2]> = self.line.windows(2).map(direction).collect();
        let last = directions.len() - 1;
        let normal = |before: [f64; 2], after: [f64; 2]| {
            // the sum of both normals, so long that its component along each of them is 1
            let scale = 1.0 / (1.0 + before[0] * after[0] + before[1] * after[1]);
            [-(before[1] + after[1]) * scale, (before[0] + after[0]) * scale]
        };
        let normals: Vec<[f64; 2]> = (0..self.line.len())
            .map(|row| normal(directions[row.saturating_sub(1)], directions[row.min(last)]))
            .collect();
        let strips = (0..directions.len()).map(|row| Strip {
            row,
            ends: [self.line[row], self.line[row + 1]],
            normals: [normals[row], normals[row + 1]],
            along: directions[row],
        });
        let edges = [self.columns[0], self.columns[self.columns.len() - 1]];
        let strips: Vec<Strip> = strips.collect();
        for strip in &strips {
            let [a, b, c, d] = strip.corners(edges);
            let length = |from: [f64; 2], to: [f64; 2]| {
                (to[0] - from[0]) * strip.along[0] + (to[1] - from[1]) * strip.along[1]
            };
            let lengths = [length(a, b), length(d, c)];
            if !lengths.iter().all(|length| *length > 0.0 && length.is_finite()) {
                let text = format!(
                    "the road folds at u = {} m: the radius of its curve is smaller than its width",
                    self.increment * strip.row as f64
                );
                return Err(Problem::syntax(FORMAT, text));
            }
        }
        Ok(strips)
    }

    /// Sets the samples on a strip. Returns the number of samples and rows of samples that it visits.
    fn fill(
        &self,
        strip: &Strip,
        edges: [f64; 2],
        samples: &SurfaceSamples,
        heights: &mut [f64],
    ) -> usize {
        let SurfaceSamples { low, resolution, size } = *samples;
        let mut visits = 0;
        let corners = strip.corners(edges);
        let overlap = OVERLAP * resolution.max(self.increment);
        let index = |value: f64, axis: usize| (value - low[axis]) / resolution;
        let within = |from: f64, to: f64, axis: usize| {
            let first = index(from - overlap, axis).ceil().max(0.0) as usize;
            let last = index(to + overlap, axis).floor();
            first..(last + 1.0).max(0.0).min(size[axis] as f64) as usize
        };
        let bound = |axis: usize, pick: fn(f64, f64) -> f64| {
            corners.iter().map(|corner| corner[axis]).reduce(pick).unwrap_or(0.0)
        };
        for row in within(bound(0, f64::min), bound(0, f64::max), 0) {
            visits += 1;
            let x = low[0] + resolution * row as f64;
            let Some([from, to]) = crossing(&corners, x, overlap) else { continue };
            for column in within(from, to, 1) {
                visits += 1;
                let y = low[1] + resolution * column as f64;
                heights[row * size[1] + column] = self.height(strip.row, strip.place([x, y]));
            }
        }
        visits
    }

    /// Returns the height at a part of a strip and a distance to the left of the line, m.
    fn height(&self, row: usize, [part, v]: [f64; 2]) -> f64 {
        let part = part.clamp(0.0, 1.0);
        let last = self.columns.len() - 1;
        let v = v.clamp(self.columns[0], self.columns[last]);
        let column = self.columns.partition_point(|column| *column <= v).clamp(1, last) - 1;
        let across = (v - self.columns[column]) / (self.columns[column + 1] - self.columns[column]);
        let mix = |from: f64, to: f64, part: f64| from + part * (to - from);
        let at = |row: usize| {
            let start = row * self.columns.len() + column;
            let grid = mix(self.heights[start], self.heights[start + 1], across);
            self.levels[row] + self.banking[row] * v + grid
        };
        mix(at(row), at(row + 1), part)
    }
}

fn direction(pair: &[[f64; 2]]) -> [f64; 2] {
    let [dx, dy] = [0, 1].map(|axis| pair[1][axis] - pair[0][axis]);
    let length = dx.hypot(dy);
    [dx / length, dy / length]
}

/// Returns the smallest and the largest y of a convex polygon at an x.
fn crossing(corners: &[[f64; 2]; 4], x: f64, overlap: f64) -> Option<[f64; 2]> {
    let mut found: Option<[f64; 2]> = None;
    for edge in 0..4 {
        let ([ax, ay], [bx, by]) = (corners[edge], corners[(edge + 1) % 4]);
        let (least, most) = (ax.min(bx), ax.max(bx));
        if x < least - overlap || x > most + overlap {
            continue;
        }
        // an edge along y counts with both ends
        let ys = match most - least <= overlap {
            true => [ay, by],
            false => [ay + (x.clamp(least, most) - ax) / (bx - ax) * (by - ay); 2],
        };
        for y in ys {
            let [low, high] = found.unwrap_or([y, y]);
            found = Some([low.min(y), high.max(y)]);
        }
    }
    found
}
