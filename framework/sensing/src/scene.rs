//! The scene that sensors see: grids and outlines at one instant.

use std::cell::RefCell;
use std::sync::Arc;

use simhost_scene::OccupancyGrid;

use crate::grid::PreparedGrid;
use crate::outlines::{Corners, Outlines};
use crate::scan::{Fan, Scan, Work};

/// Grids and outlines of a world. Those that never move are prepared once; the others are replaced for
/// each instant. Copies share the former.
#[derive(Clone, Debug, Default)]
pub struct PlanarScene {
    grids: Arc<[PreparedGrid]>,
    fixed: Arc<Outlines>,
    moving: Outlines,
}

/// Buffers of a scan.
#[derive(Default)]
struct ScanBuffers {
    scan: Scan,
    corners: Corners,
}

thread_local! {
    static BUFFERS: RefCell<ScanBuffers> = RefCell::default();
}

impl PlanarScene {
    /// Creates a scene with occupancy grids, whose solid cells are detected at every height, and
    /// outlines that never move.
    pub fn new(grids: Vec<Arc<OccupancyGrid>>, mut fixed: Outlines) -> Self {
        fixed.prepare();
        let grids = grids.into_iter().map(PreparedGrid::new).collect();
        Self { grids, fixed: Arc::new(fixed), moving: Outlines::default() }
    }

    /// Replaces the outlines that move by those that `add` adds to an empty set.
    ///
    /// The set keeps its memory, so that a scene of constant size does not allocate.
    pub fn update(&mut self, add: impl FnOnce(&mut Outlines)) {
        self.moving.clear();
        add(&mut self.moving);
        self.moving.prepare();
    }

    /// Writes the distance to the first outline or solid cell along each ray, m, or infinity if there is
    /// none within the maximum range. Returns the work that this has taken.
    ///
    /// A ray that starts inside an outline hits it from inside. In a grid, an unknown cell ends a ray.
    /// Each range has the bits that [`reference::cast`](crate::reference::cast) computes. Nothing is
    /// allocated once the buffers of the calling thread have grown.
    ///
    /// # Panics
    /// Panics if `ranges` and the angles of the fan differ in length.
    pub fn cast(&self, fan: &Fan, ranges: &mut [f64]) -> Work {
        assert_eq!(ranges.len(), fan.angles.len(), "one range for each angle");
        let is_blind = fan.max_range < 0.0 || fan.max_range.is_nan();
        if is_blind || ranges.is_empty() {
            ranges.fill(f64::INFINITY);
            return Work::default();
        }
        BUFFERS.with_borrow_mut(|buffers| self.dispatch(fan, ranges, buffers))
    }

    fn dispatch(&self, fan: &Fan, ranges: &mut [f64], buffers: &mut ScanBuffers) -> Work {
        #[cfg(target_arch = "x86_64")]
        if simhost_vectors::is_avx512() {
            // SAFETY: the processor has AVX-512.
            return unsafe { self.cast_avx512(fan, ranges, buffers) };
        }
        #[cfg(target_arch = "x86_64")]
        if std::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2.
            return unsafe { self.cast_avx2(fan, ranges, buffers) };
        }
        self.cast_with(fan, ranges, buffers)
    }

    /// # Safety
    /// The processor has AVX2.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    unsafe fn cast_avx2(&self, fan: &Fan, ranges: &mut [f64], buffers: &mut ScanBuffers) -> Work {
        self.cast_with(fan, ranges, buffers)
    }

    /// # Safety
    /// The processor has these features.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512dq,avx512vl")]
    unsafe fn cast_avx512(&self, fan: &Fan, ranges: &mut [f64], buffers: &mut ScanBuffers) -> Work {
        self.cast_with(fan, ranges, buffers)
    }

    #[inline(always)]
    fn cast_with(&self, fan: &Fan, ranges: &mut [f64], buffers: &mut ScanBuffers) -> Work {
        let ScanBuffers { scan, corners } = buffers;
        scan.begin(fan);
        // grids first, because their walls hide most of what is in other rooms
        for grid in &*self.grids {
            grid.scan(scan);
        }
        let moving = fan.sees_moving().then_some(&self.moving);
        for outlines in [Some(&*self.fixed), moving].into_iter().flatten() {
            outlines.scan(fan, scan, corners);
        }
        scan.finish(ranges);
        scan.work
    }

    /// Returns the grids.
    pub(crate) fn grids(&self) -> impl Iterator<Item = &OccupancyGrid> {
        self.grids.iter().map(PreparedGrid::grid)
    }

    /// Returns the corners of every outline that a fan can detect.
    pub(crate) fn outlines<'s>(&'s self, fan: &'s Fan) -> impl Iterator<Item = &'s [[f64; 2]]> {
        let moving = self.moving.visible_to(fan).filter(|_| fan.sees_moving());
        self.fixed.visible_to(fan).chain(moving)
    }
}

#[cfg(test)]
mod tests {
    use simhost_scene::Pose2;

    use super::*;
    use crate::outlines::Shape;
    use crate::scan::Visibility;

    /// Without AVX2 and AVX-512 the ranges have the same bits.
    #[test]
    fn ranges_do_not_depend_on_the_processor() {
        let cells = (0..90 * 90).map(|cell| if cell % 90 % 29 * (cell % 31) == 0 { -9 } else { 9 });
        let grid = OccupancyGrid::new([-4.5; 2], 0.1, [90; 2], cells.collect());
        let mut fixed = Outlines::default();
        let triangle = Shape::new(&[[-0.3, 0.0], [0.4, -0.2], [0.1, 0.5]]);
        let square = Shape::new(&[[-0.2, -0.2], [0.2, -0.2], [0.2, 0.2], [-0.2, 0.2]]);
        for i in 0..20 {
            let t = f64::from(i);
            fixed.add(
                0,
                if i % 3 == 0 { &triangle } else { &square },
                Pose2 { x: t.sin() * 3.0, y: t.cos() * 2.0, yaw: t },
                [0.0, 1.0],
            );
        }
        let scene = PlanarScene::new(vec![Arc::new(grid.expect("a valid grid"))], fixed);
        let angles: Vec<f64> = (0..181).map(|ray| f64::from(ray) * 0.03 - 2.7).collect();
        let (mut here, mut anywhere) = ([0.0; 181], [0.0; 181]);
        for i in 0..200 {
            let t = 0.1 * f64::from(i);
            let origin = Pose2 { x: 0.7 * t.cos(), y: 0.4 * t.sin(), yaw: t };
            let (max_range, ignore, see) = (5.0, None, Visibility::All);
            let fan = Fan {
                origin,
                z: 0.5,
                angles: &angles[..if i % 2 == 0 { 181 } else { 5 }],
                max_range,
                ignore,
                see,
            };
            let rays = fan.angles.len();
            let work = scene.cast(&fan, &mut here[..rays]);
            let same = scene.cast_with(&fan, &mut anywhere[..rays], &mut ScanBuffers::default());
            assert_eq!(work, same);
            let bits =
                |ranges: &[f64]| ranges.iter().map(|range| range.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&here[..rays]), bits(&anywhere[..rays]), "{origin:?}");
            #[cfg(target_arch = "x86_64")]
            if std::is_x86_feature_detected!("avx2") {
                let buffers = &mut ScanBuffers::default();
                // SAFETY: the processor has AVX2.
                unsafe { scene.cast_avx2(&fan, &mut here[..rays], buffers) };
                assert_eq!(bits(&here[..rays]), bits(&anywhere[..rays]), "{origin:?}");
            }
        }
    }
}
