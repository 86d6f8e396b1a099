//! Contributions to the signal of a radar, and their division into detections.

use simhost_sdk::abi::NO_ENTITY;

/// Number of distinguishable contributions.
const PLACES: usize = 1024;

/// The smallest differences that the radar can distinguish.
#[derive(Clone, Copy, Debug)]
pub(super) struct Resolution {
    /// Range, m.
    pub range: f64,
    /// Azimuth, rad.
    pub azimuth: f64,
    /// Radial speed, m/s.
    pub speed: f64,
}

/// A reflection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Echo {
    /// Distance, m.
    pub range: f64,
    /// Azimuth, rad.
    pub azimuth: f64,
    /// Radial speed, m/s, positive for receding.
    pub speed: f64,
    /// Cross-section, m².
    pub cross_section: f64,
    /// Number of the entity.
    pub entity: u32,
}

/// Contributions in cells of half the resolution, in an open hash table whose order does not matter.
pub(super) struct Cells {
    resolution: Resolution,
    cells: [Cell; PLACES],
    used: usize,
}

/// The contributions of an entity in a cell.
#[derive(Clone, Copy)]
struct Cell {
    key: [i32; 4],
    sums: Sums,
}

/// Sums weighted by power.
#[derive(Clone, Copy, Debug)]
struct Sums {
    power: f64,
    range: f64,
    azimuth: f64,
    speed: f64,
    cross_section: f64,
    entity: u32,
}

impl Echo {
    pub const NONE: Self =
        Self { range: 0.0, azimuth: 0.0, speed: 0.0, cross_section: 0.0, entity: NO_ENTITY };

    /// Returns the received power up to a constant factor, 1/m².
    fn power(&self) -> f64 {
        self.cross_section / self.range.powi(4)
    }
}

impl Sums {
    const ZERO: Self = Self {
        power: 0.0,
        range: 0.0,
        azimuth: 0.0,
        speed: 0.0,
        cross_section: 0.0,
        entity: NO_ENTITY,
    };

    fn add(&mut self, other: &Self) {
        self.power += other.power;
        self.range += other.range;
        self.azimuth += other.azimuth;
        self.speed += other.speed;
        self.cross_section += other.cross_section;
    }

    fn of(echo: &Echo) -> Self {
        let power = echo.power();
        Self {
            power,
            range: power * echo.range,
            azimuth: power * echo.azimuth,
            speed: power * echo.speed,
            cross_section: echo.cross_section,
            entity: echo.entity,
        }
    }

    fn mean(&self) -> Echo {
        Echo {
            range: self.range / self.power,
            azimuth: self.azimuth / self.power,
            speed: self.speed / self.power,
            cross_section: self.cross_section,
            entity: self.entity,
        }
    }
}

impl Cells {
    /// Creates empty cells.
    pub fn new(resolution: Resolution) -> Self {
        Self { resolution, cells: [Cell { key: [0; 4], sums: Sums::ZERO }; PLACES], used: 0 }
    }

    /// Adds a contribution, unless all cells are used by others.
    pub fn add(&mut self, echo: Echo) {
        let Resolution { range, azimuth, speed } = self.resolution;
        if echo.cross_section <= 0.0 || echo.range <= 0.0 {
            return;
        }
        let cell = |value: f64, size: f64| (2.0 * value / size).floor() as i32;
        let key = [
            cell(echo.range, range),
            cell(echo.azimuth, azimuth),
            cell(echo.speed, speed),
            echo.entity as i32,
        ];
        let mixed = key.iter().fold(0u64, |hash, part| {
            (hash ^ u64::from(*part as u32)).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29)
        });
        let mut place = mixed as usize % PLACES;
        while self.cells[place].sums.power > 0.0 && self.cells[place].key != key {
            place = (place + 1) % PLACES;
        }
        let cell = &mut self.cells[place];
        if cell.sums.power == 0.0 {
            // one place stays free, so that a search ends
            if self.used + 1 == PLACES {
                return;
            }
            self.used += 1;
            *cell = Cell { key, sums: Sums { entity: echo.entity, ..Sums::ZERO } };
        }
        cell.sums.add(&Sums::of(&echo));
    }

    /// Divides the contributions into detections, from the strongest to the weakest one. A contribution
    /// belongs to the first detection whose strongest contribution is not further away than the
    /// resolution in range, azimuth and speed.
    pub fn detect<'e>(&mut self, echoes: &'e mut [Echo]) -> &'e [Echo] {
        self.cells
            .sort_unstable_by(|a, b| b.sums.power.total_cmp(&a.sums.power).then(a.key.cmp(&b.key)));
        let mut sums = [Sums::ZERO; MOST];
        let mut count = 0;
        let limit = echoes.len().min(sums.len());
        for cell in &self.cells[..self.used] {
            let mean = cell.sums.mean();
            match (0..count).find(|seed| self.resolution.is_near(&echoes[*seed], &mean)) {
                Some(seed) => sums[seed].add(&cell.sums),
                None if count < limit => {
                    (echoes[count], sums[count]) = (mean, cell.sums);
                    count += 1;
                }
                None => {}
            }
        }
        for (echo, sums) in echoes[..count].iter_mut().zip(&sums) {
            *echo = sums.mean();
        }
        let found = &mut echoes[..count];
        found.sort_unstable_by(|a, b| {
            let by_power = b.power().total_cmp(&a.power());
            by_power.then(a.range.total_cmp(&b.range)).then(a.azimuth.total_cmp(&b.azimuth))
        });
        found
    }
}

impl Resolution {
    /// Returns whether two reflections are indistinguishable.
    fn is_near(&self, a: &Echo, b: &Echo) -> bool {
        (a.range - b.range).abs() < self.range
            && (a.azimuth - b.azimuth).abs() < self.azimuth
            && (a.speed - b.speed).abs() < self.speed
    }
}

/// Largest number of detections.
pub(super) const MOST: usize = 256;

#[cfg(test)]
mod tests {
    use super::*;

    const RESOLUTION: Resolution = Resolution { range: 1.0, azimuth: 0.1, speed: 0.5 };

    fn detect(echoes: &[Echo]) -> Vec<Echo> {
        let mut cells = Cells::new(RESOLUTION);
        echoes.iter().for_each(|echo| cells.add(*echo));
        cells.detect(&mut [Echo::NONE; 8]).to_vec()
    }

    #[test]
    fn what_differs_by_less_than_the_resolution_is_one_detection() {
        let one = Echo { range: 20.0, azimuth: 0.0, speed: 1.0, cross_section: 2.0, entity: 3 };
        for (other, count) in [
            (Echo { range: 20.9, ..one }, 1),
            (Echo { range: 21.1, ..one }, 2),
            (Echo { azimuth: 0.09, ..one }, 1),
            (Echo { azimuth: -0.11, ..one }, 2),
            (Echo { speed: 0.6, ..one }, 1),
            (Echo { speed: 1.6, ..one }, 2),
            (Echo { entity: 4, ..one }, 1),
        ] {
            let found = detect(&[one, other]);
            assert_eq!(found.len(), count, "{other:?}: {found:?}");
            let sum: f64 = found.iter().map(|echo| echo.cross_section).sum();
            assert!((sum - 4.0).abs() < 1e-12, "{found:?}");
        }
    }

    #[test]
    fn the_mean_is_weighted_by_power_and_the_strongest_comes_first() {
        let weak = Echo { range: 20.0, azimuth: 0.0, speed: 1.0, cross_section: 1.0, entity: 3 };
        let strong = Echo { azimuth: 0.04, cross_section: 3.0, ..weak };
        let far = Echo { range: 40.0, cross_section: 10.0, ..weak };
        let found = detect(&[far, weak, strong]);
        assert_eq!(found.len(), 2);
        assert!((found[0].azimuth - 0.03).abs() < 1e-12, "{found:?}");
        assert!((found[1].range - 40.0).abs() < 1e-12, "{found:?}");
    }

    #[test]
    fn more_contributions_than_places_are_ignored() {
        let at = |k: u32| Echo {
            range: 10.0 + f64::from(k) * 2.0,
            azimuth: 0.0,
            speed: 0.0,
            cross_section: 1.0,
            entity: k,
        };
        let all: Vec<Echo> = (0..3000).map(at).collect();
        assert_eq!(detect(&all).len(), 8);
    }
}
