//! A polyline with a timetable.

use simhost_sdk::prelude::*;

/// A position and the time at which the vehicle should be there.
#[derive(Params, Clone, Copy, Debug)]
pub struct Waypoint {
    /// Scheduled time.
    #[param(required, unit = "s", range = 0.0..)]
    t: f64,
    /// Position, world frame.
    #[param(required, unit = "m", scaling = Scaling::INVARIANT)]
    x: f64,
    /// Position, world frame.
    #[param(required, unit = "m", scaling = Scaling::INVARIANT)]
    y: f64,
}

#[cfg(test)]
impl Waypoint {
    pub(super) fn new(t: f64, x: f64, y: f64) -> Self {
        Self { t, x, y }
    }
}

/// Waypoints and the distance along the path up to each.
#[derive(Clone, Debug, Default)]
pub struct Path {
    points: Vec<Waypoint>,
    lengths: Vec<f64>,
}

impl Path {
    /// Returns the path through waypoints with rising times.
    pub fn through(points: &[Waypoint]) -> Result<Self, String> {
        if points.len() < 2 {
            return Err(format!("found {} waypoints, expected at least two", points.len()));
        }
        let mut lengths = vec![0.0];
        for pair in points.windows(2) {
            let (a, b) = (pair[0], pair[1]);
            if b.t <= a.t {
                return Err(format!(
                    "waypoint time {} s follows {} s; expected rising times",
                    b.t, a.t
                ));
            }
            let (dx, dy) = (b.x - a.x, b.y - a.y);
            lengths.push(lengths[lengths.len() - 1] + (dx * dx + dy * dy).sqrt());
        }
        Ok(Self { points: points.to_vec(), lengths })
    }

    /// Returns the scheduled speed, m/s, and the scheduled distance along the path, m.
    pub fn schedule(&self, time: f64, repeats: bool) -> (f64, f64) {
        let (first, last) = (self.points[0].t, self.points[self.points.len() - 1].t);
        let time = match repeats && time > last {
            true => first + (time - first) % (last - first),
            false => time,
        };
        if time < first {
            return (0.0, 0.0);
        }
        let Some(next) = self.points.iter().position(|point| point.t > time) else {
            return (0.0, self.length());
        };
        let (from, to) = (self.points[next - 1], self.points[next]);
        let speed = (self.lengths[next] - self.lengths[next - 1]) / (to.t - from.t);
        (speed, self.lengths[next - 1] + speed * (time - from.t))
    }

    /// Returns the point at a distance along the path, m. Beyond the end this is the first point if
    /// the path repeats, and the last one otherwise.
    pub fn point(&self, length: f64, repeats: bool) -> [f64; 2] {
        let total = self.length();
        let length = match repeats && length > total && total > 0.0 {
            true => length % total,
            false => length.min(total),
        };
        let next = self.lengths.iter().position(|end| *end >= length).unwrap_or(1).max(1);
        let (from, to) = (self.points[next - 1], self.points[next]);
        let span = self.lengths[next] - self.lengths[next - 1];
        let part = if span > 0.0 { (length - self.lengths[next - 1]) / span } else { 0.0 };
        [from.x + part * (to.x - from.x), from.y + part * (to.y - from.y)]
    }

    fn length(&self) -> f64 {
        self.lengths[self.lengths.len() - 1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn corner() -> Path {
        let points = [
            Waypoint::new(1.0, 0.0, 0.0),
            Waypoint::new(3.0, 4.0, 0.0),
            Waypoint::new(4.0, 4.0, 3.0),
        ];
        Path::through(&points).unwrap_or_default()
    }

    #[test]
    fn speed_and_place_follow_the_timetable() {
        let path = corner();
        assert_eq!(path.schedule(0.0, false), (0.0, 0.0));
        assert_eq!(path.schedule(2.0, false), (2.0, 2.0));
        assert_eq!(path.schedule(3.5, false), (3.0, 5.5));
        assert_eq!(path.schedule(9.0, false), (0.0, 7.0));
        // 5 s is 1 s into the second lap
        assert_eq!(path.schedule(5.0, true), (2.0, 2.0));
        assert_eq!(path.point(5.0, false), [4.0, 1.0]);
        assert_eq!(path.point(8.0, false), [4.0, 3.0]);
        assert_eq!(path.point(8.0, true), [1.0, 0.0]);
    }

    #[test]
    fn times_rise_and_a_path_has_two_ends() {
        let (a, b) = (Waypoint::new(1.0, 0.0, 0.0), Waypoint::new(1.0, 2.0, 0.0));
        assert!(Path::through(&[a]).is_err());
        assert!(Path::through(&[a, b]).is_err());
    }
}
