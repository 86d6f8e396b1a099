//! Loops over the lanes of columns, in tiles of fixed width that the compiler turns into vector
//! instructions.
//!
//! A kernel loads the values of a tile into arrays, computes lane by lane in loops of fixed length, and
//! stores arrays. Nothing that it writes can alias what it reads in between, so the loops vectorise. On
//! x86-64 every loop is compiled for the baseline, AVX2 and AVX-512; none uses fused multiply-add, so
//! all produce the same bits.

use crate::columns::{Column, Columns};

/// Widths of the tiles, from the widest to single lanes.
const WIDE: usize = 16;
const NARROW: usize = 4;

/// Arithmetic on tiles of lanes.
pub(crate) trait Kernel {
    /// Computes `N` lanes from lane `lane` on. Implementations are `#[inline(always)]`.
    fn tile<const N: usize>(&mut self, columns: &mut TileView<'_>, lane: usize);
}

/// Access to the columns of a store in tiles.
pub(crate) struct TileView<'c>(&'c mut Columns);

impl TileView<'_> {
    /// Returns the values from `at` on.
    #[inline(always)]
    pub fn load<const N: usize>(&self, column: Column, at: usize) -> [f64; N] {
        // SAFETY: the store checks that the numbers lie within it and has them aligned.
        unsafe { *self.0.tile::<N>(column, at) }
    }

    /// Returns the values of several columns from `at` on.
    #[inline(always)]
    pub fn load_all<const K: usize, const N: usize>(
        &self,
        columns: [Column; K],
        at: usize,
    ) -> [[f64; N]; K] {
        // `array::map` is not always inlined, which would end the vector loop
        let mut tiles = [[0.0; N]; K];
        let mut k = 0;
        while k < K {
            tiles[k] = self.load(columns[k], at);
            k += 1;
        }
        tiles
    }

    /// Replaces the values from `at` on.
    #[inline(always)]
    pub fn store<const N: usize>(&mut self, column: Column, at: usize, tile: [f64; N]) {
        // SAFETY: as in `load`, and the view holds the store exclusively.
        unsafe { *self.0.tile::<N>(column, at) = tile }
    }
}

impl Columns {
    /// Runs a kernel on the lanes 0 to `lanes`.
    #[inline]
    pub fn run(&mut self, lanes: usize, kernel: &mut impl Kernel) {
        #[cfg(target_arch = "x86_64")]
        if lanes >= NARROW {
            if simhost_vectors::is_avx512() {
                // SAFETY: the processor has these features.
                return unsafe { avx512(self, lanes, kernel) };
            }
            if std::is_x86_feature_detected!("avx2") {
                // SAFETY: the processor has AVX2.
                return unsafe { avx2(self, lanes, kernel) };
            }
        }
        all(self, lanes, kernel);
    }
}

/// # Safety
/// The processor has these features.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq,avx512vl")]
unsafe fn avx512(columns: &mut Columns, lanes: usize, kernel: &mut impl Kernel) {
    all(columns, lanes, kernel);
}

/// # Safety
/// The processor has AVX2.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn avx2(columns: &mut Columns, lanes: usize, kernel: &mut impl Kernel) {
    all(columns, lanes, kernel);
}

#[inline(always)]
fn all(columns: &mut Columns, lanes: usize, kernel: &mut impl Kernel) {
    let mut view = TileView(columns);
    let mut lane = 0;
    while lane + WIDE <= lanes {
        kernel.tile::<WIDE>(&mut view, lane);
        lane += WIDE;
    }
    while lane + NARROW <= lanes {
        kernel.tile::<NARROW>(&mut view, lane);
        lane += NARROW;
    }
    while lane < lanes {
        kernel.tile::<1>(&mut view, lane);
        lane += 1;
    }
}

#[cfg(test)]
mod tests {
    use simhost_sdk::math;

    use super::{Kernel, TileView, all};
    use crate::columns::{Column, Columns, Layout};

    /// Divisions, roots and transcendental functions, as the kernels of the step use them.
    struct Mixed {
        input: [Column; 2],
        output: [Column; 3],
    }

    impl Kernel for Mixed {
        #[inline(always)]
        fn tile<const N: usize>(&mut self, columns: &mut TileView<'_>, lane: usize) {
            let [x, y] = columns.load_all::<_, N>(self.input, lane);
            let [mut turned, mut angle, mut length] = [[0.0; N]; 3];
            for i in 0..N {
                let (sin, cos) = math::sin_cos(x[i] + 0.5 * y[i]);
                turned[i] = cos * x[i] - sin * y[i];
                angle[i] = math::wrap_angle(math::atan2(y[i], x[i]) + 3.0 * x[i]);
                length[i] = (x[i] * x[i] + y[i] * y[i]).sqrt() / (1.0 + y[i].abs()).max(0.5);
            }
            columns.store(self.output[0], lane, turned);
            columns.store(self.output[1], lane, angle);
            columns.store(self.output[2], lane, length);
        }
    }

    fn columns(lanes: usize) -> (Columns, Mixed) {
        let mut layout = Layout::default();
        let numbers = |seed: usize| {
            let number = |k: usize| match (seed * 31 + k * 17) % 101 {
                0 => -0.0,
                1 => f64::NAN,
                2 => f64::INFINITY,
                3 => 1e-310,
                number => (number as f64 - 50.0) * 0.173,
            };
            (0..lanes).map(number).collect()
        };
        let input = [layout.add(numbers(1)), layout.add(numbers(7))];
        let output = [(); 3].map(|()| layout.fill(lanes, 0.0));
        (layout.finish(), Mixed { input, output })
    }

    #[test]
    fn all_vector_widths_give_the_same_bits() {
        for lanes in 0..70 {
            let (mut wide, mut kernel) = columns(lanes);
            wide.run(lanes, &mut kernel);
            let (mut plain, _) = columns(lanes);
            all(&mut plain, lanes, &mut kernel);
            let (mut single, _) = columns(lanes);
            for lane in 0..lanes {
                kernel.tile::<1>(&mut TileView(&mut single), lane);
            }
            for column in kernel.output {
                let bits = |columns: &Columns| -> Vec<u64> {
                    // the payload of a NaN is not specified
                    let number = |x: &f64| if x.is_nan() { u64::MAX } else { x.to_bits() };
                    columns.get(column).iter().map(number).collect()
                };
                assert_eq!(bits(&wide), bits(&single), "{lanes} lanes");
                assert_eq!(bits(&plain), bits(&single), "{lanes} lanes");
            }
        }
    }
}
