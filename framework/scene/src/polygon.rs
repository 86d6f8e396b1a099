//! Polygons in the plane, given as lists of corners in m.

mod simplification;

pub use simplification::simplify_hull;

/// Returns twice the signed area of the triangle a, b, c, which is positive if the corners run
/// counter-clockwise.
fn turn(a: [f64; 2], b: [f64; 2], c: [f64; 2]) -> f64 {
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])
}

/// Returns the edges. The last one leads back to the first corner.
pub fn edges(corners: &[[f64; 2]]) -> impl Iterator<Item = ([f64; 2], [f64; 2])> + '_ {
    corners.iter().copied().zip(corners.iter().copied().cycle().skip(1))
}

/// Returns the signed area in m², positive if the corners run counter-clockwise.
pub fn area(corners: &[[f64; 2]]) -> f64 {
    0.5 * edges(corners).map(|(a, b)| a[0] * b[1] - b[0] * a[1]).sum::<f64>()
}

/// Returns the centre of mass of a polygon of uniform density.
pub fn centroid(corners: &[[f64; 2]]) -> [f64; 2] {
    // relative to the first corner, so that a polygon far from the origin does not lose precision
    let Some(&origin) = corners.first() else { return [0.0, 0.0] };
    let mut sum = [0.0, 0.0];
    let mut twice_area = 0.0;
    for (a, b) in edges(corners) {
        let cross = turn(origin, a, b);
        twice_area += cross;
        sum[0] += cross * (a[0] + b[0] - 2.0 * origin[0]);
        sum[1] += cross * (a[1] + b[1] - 2.0 * origin[1]);
    }
    [origin[0] + sum[0] / (3.0 * twice_area), origin[1] + sum[1] / (3.0 * twice_area)]
}

/// Returns the moment of inertia about the origin per mass in m², for a polygon of uniform density.
pub fn second_moment(corners: &[[f64; 2]]) -> f64 {
    let dot = |a: [f64; 2], b: [f64; 2]| a[0] * b[0] + a[1] * b[1];
    let mut moment = 0.0;
    let mut sum = 0.0;
    for (a, b) in edges(corners) {
        let cross = a[0] * b[1] - b[0] * a[1];
        moment += cross * (dot(a, a) + dot(a, b) + dot(b, b));
        sum += cross;
    }
    moment / (6.0 * sum)
}

/// Returns the convex hull, counter-clockwise and without repeated and collinear corners (Andrew
/// 1979).
pub fn convex_hull(points: &[[f64; 2]]) -> Vec<[f64; 2]> {
    let mut sorted = points.to_vec();
    sorted.sort_by(|a, b| a[0].total_cmp(&b[0]).then(a[1].total_cmp(&b[1])));
    sorted.dedup();
    if sorted.len() < 3 {
        return sorted;
    }
    let mut hull: Vec<[f64; 2]> = Vec::with_capacity(2 * sorted.len());
    let mut chain = |points: &mut dyn Iterator<Item = [f64; 2]>| {
        let start = hull.len();
        for point in points {
            while hull.len() >= start + 2
                && turn(hull[hull.len() - 2], hull[hull.len() - 1], point) <= 0.0
            {
                hull.pop();
            }
            hull.push(point);
        }
        hull.pop();
    };
    chain(&mut sorted.iter().copied());
    chain(&mut sorted.iter().rev().copied());
    hull
}

/// Returns whether a point lies in a convex, counter-clockwise polygon or on its border.
pub fn contains(corners: &[[f64; 2]], point: [f64; 2]) -> bool {
    corners.len() >= 3 && edges(corners).all(|(a, b)| turn(a, b, point) >= 0.0)
}

/// Returns the largest distance of a corner from a point in m.
pub fn bounding_radius(corners: &[[f64; 2]], from: [f64; 2]) -> f64 {
    let distance = |p: &[f64; 2]| ((p[0] - from[0]).powi(2) + (p[1] - from[1]).powi(2)).sqrt();
    corners.iter().map(distance).fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: [[f64; 2]; 4] = [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]];

    #[test]
    fn a_square() {
        assert_eq!(area(&SQUARE), 4.0);
        assert_eq!(centroid(&SQUARE), [1.0, 1.0]);
        // m (a² + a²)/12 about the centre, plus m r²
        assert!((second_moment(&SQUARE) - (8.0 / 12.0 + 2.0)).abs() < 1e-12);
        assert_eq!(bounding_radius(&SQUARE, [1.0, 1.0]), 2f64.sqrt());
    }

    #[test]
    fn the_border_is_inside() {
        assert!(contains(&SQUARE, [1.0, 1.0]) && contains(&SQUARE, [2.0, 1.0]));
        assert!(!contains(&SQUARE, [2.1, 1.0]) && !contains(&SQUARE[..2], [1.0, 0.0]));
    }

    #[test]
    fn a_hull_omits_inner_collinear_and_repeated_points() {
        let mut points = SQUARE.to_vec();
        points.extend([[1.0, 1.0], [1.0, 0.0], [2.0, 2.0]]);
        assert_eq!(convex_hull(&points), SQUARE);
        assert_eq!(convex_hull(&points[..1]).len(), 1);
    }
}
