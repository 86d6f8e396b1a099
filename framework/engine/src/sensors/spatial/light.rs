//! Objects behind the start of rays, and the light along rays.

use std::ops::Range;

use simhost_abi::ImageKind;
use simhost_model::SensorImage;
use simhost_scene::Rotation;
use simhost_sensing::{Beam, Bundle, Return, Shade};

use super::viewer::Viewer;
use crate::daylight::turned;
use crate::surroundings::Surroundings;

/// Returns for each ray of a sensor whether its light is computed: not for the pixels of images without
/// colour.
pub(super) fn lit_rays(rays: usize, images: &[SensorImage]) -> Vec<bool> {
    let mut is_lit = vec![true; rays];
    let (colored, others): (Vec<_>, Vec<_>) =
        images.iter().partition(|image| image.kind == ImageKind::Rgb);
    others.iter().for_each(|image| is_lit[image.rays()].fill(false));
    colored.iter().for_each(|image| is_lit[image.rays()].fill(true));
    is_lit
}

/// Calls `take` with the rays of each pose, its position, m, and its rotation.
fn each_pose(bundle: &Bundle<'_>, mut take: impl FnMut(Range<usize>, [f64; 3], &Rotation)) {
    let rays = bundle.directions.len();
    let group = if bundle.poses.is_empty() { rays } else { bundle.rays_per_pose }.max(1);
    for first in (0..rays).step_by(group) {
        let pose = bundle.pose_of(first);
        take(first..rays.min(first + group), pose.position(), &pose.rotation());
    }
}

/// Casts the rays again that meet something before they begin.
pub(super) fn look_past(
    bundle: &Bundle<'_>,
    viewer: &Viewer,
    surroundings: &Surroundings,
    returns: &mut [Return],
) {
    let near = viewer.min_range;
    let accepts = |number: u32| viewer.accepts(number, surroundings);
    each_pose(bundle, |rays, origin, rotation| {
        for ray in rays {
            let found = &mut returns[ray];
            if found.range >= near {
                continue;
            }
            let direction = turned(rotation, bundle.directions[ray]);
            let start = [0, 1, 2].map(|axis| origin[axis] + near * direction[axis]);
            let beam = Beam::new(start, direction, bundle.max_range - near);
            let strike = beam.and_then(|beam| surroundings.space().cast(&beam, &accepts));
            let past = strike.map_or(Return::NOTHING, Return::from);
            *found = Return { range: past.range + near, ..past };
        }
    });
}

/// Computes the light along rays.
pub(super) fn find_light(
    bundle: &Bundle<'_>,
    (surroundings, shade): (&Surroundings, &Shade),
    returns: &[Return],
    (lit, lights): (&[bool], &mut [[f64; 3]]),
) {
    let (daylight, scene) = (&surroundings.daylight, (surroundings.space(), shade));
    each_pose(bundle, |rays, origin, rotation| {
        for ray in rays.filter(|ray| lit[*ray]) {
            let direction = turned(rotation, bundle.directions[ray]);
            lights[ray] = daylight.seen(scene, (origin, direction), &returns[ray]);
        }
    });
}
