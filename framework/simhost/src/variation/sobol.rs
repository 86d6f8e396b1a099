//! Points of the Sobol sequence, without scrambling, in the order of a Gray code.
//!
//! Sources: I. M. Sobol, "On the distribution of points in a cube and the approximate evaluation of integrals", USSR
//! Computational Mathematics and Mathematical Physics 7(4), 1967; P. Bratley, B. L. Fox, "Algorithm 659", ACM
//! Transactions on Mathematical Software 14(1), 1988; direction numbers `new-joe-kuo-6.21201` of S. Joe, F. Y. Kuo,
//! "Constructing Sobol sequences with better two-dimensional projections", SIAM Journal on Scientific Computing 30(5),
//! 2008, which may be used under a licence of the BSD kind.

/// Greatest number of dimensions.
pub const DIMENSIONS: usize = DIRECTIONS.len() + 1;

/// Number of bits of a coordinate.
const BITS: usize = 32;

/// One coordinate of the points.
#[derive(Clone, Debug)]
pub struct Sobol {
    /// Direction numbers, from the highest bit of a coordinate down.
    directions: [u32; BITS],
}

impl Sobol {
    /// Returns coordinate `dimension` of the points, counted from 0, below [`DIMENSIONS`].
    pub fn new(dimension: usize) -> Self {
        let mut directions = std::array::from_fn(|bit| 1 << (BITS - 1 - bit));
        if let Some(&(polynomial, first)) = dimension.checked_sub(1).map(|row| &DIRECTIONS[row]) {
            let degree = first.len();
            for (bit, &number) in first.iter().enumerate() {
                directions[bit] = number << (BITS - 1 - bit);
            }
            for bit in degree..BITS {
                let last = directions[bit - degree];
                let inner = (1..degree).filter(|part| polynomial >> (degree - 1 - part) & 1 == 1);
                directions[bit] =
                    inner.fold(last ^ last >> degree, |sum, part| sum ^ directions[bit - part]);
            }
        }
        Self { directions }
    }

    /// Returns the coordinate of a point, at least 0 and less than 1.
    pub fn value(&self, point: u32) -> f64 {
        let mut gray = point ^ point >> 1;
        let mut sum = 0;
        while gray != 0 {
            sum ^= self.directions[gray.trailing_zeros() as usize];
            gray &= gray - 1;
        }
        f64::from(sum) / (1_u64 << BITS) as f64
    }
}

/// Dimensions from the second on: inner coefficients of the primitive polynomial as bits, and the first direction
/// numbers.
const DIRECTIONS: [(u32, &[u32]); 63] = [
    (0, &[1]),
    (1, &[1, 3]),
    (1, &[1, 3, 1]),
    (2, &[1, 1, 1]),
    (1, &[1, 1, 3, 3]),
    (4, &[1, 3, 5, 13]),
    (2, &[1, 1, 5, 5, 17]),
    (4, &[1, 1, 5, 5, 5]),
    (7, &[1, 1, 7, 11, 19]),
    (11, &[1, 1, 5, 1, 1]),
    (13, &[1, 1, 1, 3, 11]),
    (14, &[1, 3, 5, 5, 31]),
    (1, &[1, 3, 3, 9, 7, 49]),
    (13, &[1, 1, 1, 15, 21, 21]),
    (16, &[1, 3, 1, 13, 27, 49]),
    (19, &[1, 1, 1, 15, 7, 5]),
    (22, &[1, 3, 1, 15, 13, 25]),
    (25, &[1, 1, 5, 5, 19, 61]),
    (1, &[1, 3, 7, 11, 23, 15, 103]),
    (4, &[1, 3, 7, 13, 13, 15, 69]),
    (7, &[1, 1, 3, 13, 7, 35, 63]),
    (8, &[1, 3, 5, 9, 1, 25, 53]),
    (14, &[1, 3, 1, 13, 9, 35, 107]),
    (19, &[1, 3, 1, 5, 27, 61, 31]),
    (21, &[1, 1, 5, 11, 19, 41, 61]),
    (28, &[1, 3, 5, 3, 3, 13, 69]),
    (31, &[1, 1, 7, 13, 1, 19, 1]),
    (32, &[1, 3, 7, 5, 13, 19, 59]),
    (37, &[1, 1, 3, 9, 25, 29, 41]),
    (41, &[1, 3, 5, 13, 23, 1, 55]),
    (42, &[1, 3, 7, 3, 13, 59, 17]),
    (50, &[1, 3, 1, 3, 5, 53, 69]),
    (55, &[1, 1, 5, 5, 23, 33, 13]),
    (56, &[1, 1, 7, 7, 1, 61, 123]),
    (59, &[1, 1, 7, 9, 13, 61, 49]),
    (62, &[1, 3, 3, 5, 3, 55, 33]),
    (14, &[1, 3, 1, 15, 31, 13, 49, 245]),
    (21, &[1, 3, 5, 15, 31, 59, 63, 97]),
    (22, &[1, 3, 1, 11, 11, 11, 77, 249]),
    (38, &[1, 3, 1, 11, 27, 43, 71, 9]),
    (47, &[1, 1, 7, 15, 21, 11, 81, 45]),
    (49, &[1, 3, 7, 3, 25, 31, 65, 79]),
    (50, &[1, 3, 1, 1, 19, 11, 3, 205]),
    (52, &[1, 1, 5, 9, 19, 21, 29, 157]),
    (56, &[1, 3, 7, 11, 1, 33, 89, 185]),
    (67, &[1, 3, 3, 3, 15, 9, 79, 71]),
    (70, &[1, 3, 7, 11, 15, 39, 119, 27]),
    (84, &[1, 1, 3, 1, 11, 31, 97, 225]),
    (97, &[1, 1, 1, 3, 23, 43, 57, 177]),
    (103, &[1, 3, 7, 7, 17, 17, 37, 71]),
    (115, &[1, 3, 1, 5, 27, 63, 123, 213]),
    (122, &[1, 1, 3, 5, 11, 43, 53, 133]),
    (8, &[1, 3, 5, 5, 29, 17, 47, 173, 479]),
    (13, &[1, 3, 3, 11, 3, 1, 109, 9, 69]),
    (16, &[1, 1, 1, 5, 17, 39, 23, 5, 343]),
    (22, &[1, 3, 1, 5, 25, 15, 31, 103, 499]),
    (25, &[1, 1, 1, 11, 11, 17, 63, 105, 183]),
    (44, &[1, 1, 5, 11, 9, 29, 97, 231, 363]),
    (47, &[1, 1, 5, 15, 19, 45, 41, 7, 383]),
    (52, &[1, 3, 7, 7, 31, 19, 83, 137, 221]),
    (55, &[1, 1, 1, 3, 23, 15, 111, 223, 83]),
    (59, &[1, 1, 5, 13, 31, 15, 55, 25, 161]),
    (62, &[1, 1, 3, 13, 25, 47, 39, 87, 257]),
];

#[cfg(test)]
mod tests {
    use super::{DIMENSIONS, Sobol};

    /// `scipy.stats.qmc.Sobol(64, scramble=False).random(1024)` of SciPy 1.17.1.
    #[test]
    fn points_are_those_of_scipy() {
        let all: Vec<Sobol> = (0..DIMENSIONS).map(Sobol::new).collect();
        let expected = [
            (1, [0.5, 0.5, 0.5, 0.5, 0.5, 0.5]),
            (2, [0.75, 0.25, 0.25, 0.25, 0.25, 0.75]),
            (5, [0.875, 0.875, 0.125, 0.875, 0.625, 0.625]),
            (100, [0.4140625, 0.2578125, 0.7734375, 0.0234375, 0.4140625, 0.6484375]),
            (
                1023,
                [
                    0.0009765625,
                    0.7529296875,
                    0.6123046875,
                    0.1396484375,
                    0.6142578125,
                    0.0400390625,
                ],
            ),
        ];
        for (point, coordinates) in expected {
            for (dimension, coordinate) in [0, 1, 2, 6, 31, 63].into_iter().zip(coordinates) {
                assert_eq!(all[dimension].value(point), coordinate, "{point} {dimension}");
            }
        }
        // FNV-1a over all coordinates, point by point, as whole multiples of 2^-32
        let mut sum = 0xcbf2_9ce4_8422_2325_u64;
        for point in 0..1024 {
            for one in &all {
                let whole = (one.value(point) * 4_294_967_296.0) as u64;
                sum = (sum ^ whole).wrapping_mul(0x0000_0100_0000_01b3);
            }
        }
        assert_eq!(sum, 0x8659_9089_dcb6_2325);
    }

    /// Of 2^k points from point 0 on, each interval of length 2^-k has one, in every dimension.
    #[test]
    fn points_are_uniform_in_each_dimension() {
        for dimension in 0..DIMENSIONS {
            let one = Sobol::new(dimension);
            let mut hit = vec![0; 256];
            (0..256).for_each(|point| hit[(one.value(point) * 256.0) as usize] += 1);
            assert_eq!(hit, vec![1; 256], "dimension {dimension}");
        }
    }
}
