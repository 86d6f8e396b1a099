//! Boxes, prisms and other solids among the rays of a scan.

use super::{Buffers, SpaceScan};
use crate::space::beam::{Beam, Label, Strike, dot};
use crate::space::instance::{Geometry, Instance, SeenBox};
use crate::space::nearest::Nearest;
use crate::space::pattern::{BLOCK, TILE, Window};
use crate::space::prism::{Prism, Prisms, SeenPrism};
use crate::space::rays::{Found, Met, NOBODY, Rays, is_any};
use crate::space::sight::windows;
use crate::space::{Objects, Space};

impl SpaceScan<'_> {
    /// Offers objects whose numbers `accepts` accepts.
    #[inline(always)]
    pub(super) fn meet_objects(
        &mut self,
        space: &Space,
        objects: &Objects,
        accepts: &dyn Fn(u32) -> bool,
        buffers: &mut Buffers,
    ) {
        for instance in &objects.instances.all {
            if !accepts(instance.label.number) || !self.reaches(instance.bounds) {
                continue;
            }
            match &space.geometries[instance.geometry] {
                Geometry::Mesh(body) => self.meet_mesh(instance, body, buffers),
                solid => self.meet_instance(instance, solid, buffers),
            }
        }
        for prism in objects.prisms.iter() {
            if accepts(prism.label.number) && self.reaches(prism.space_bounds()) {
                self.meet_prism(&objects.prisms, prism, buffers);
            }
        }
    }

    /// Offers a solid.
    #[inline(always)]
    fn meet_instance(&mut self, instance: &Instance, solid: &Geometry, buffers: &mut Buffers) {
        let window = self.window_of(instance.bounds, buffers);
        let cast = |beam: &Beam, nearest: &mut Nearest| instance.meet(solid, beam, nearest);
        let first = self.found.len();
        match SeenBox::new(instance, solid, self.origin, self.found) {
            Some(seen) => self.meet_tiles(
                &window,
                first,
                #[inline(always)]
                |rays| seen.meet(rays),
                cast,
            ),
            None => self.meet_each(&window, cast),
        }
    }

    /// Offers a prism.
    #[inline(always)]
    fn meet_prism(&mut self, prisms: &Prisms, prism: &Prism, buffers: &mut Buffers) {
        let window = self.window_of(prism.space_bounds(), buffers);
        let cast =
            |beam: &Beam, nearest: &mut Nearest| nearest.offer(beam, prisms.meet(prism, beam));
        let first = self.found.len();
        let (corners, buffer) = (prisms.corners_of(prism), &mut buffers.corners);
        match SeenPrism::new(prism, corners, self.origin, buffer, self.found) {
            Some(seen) => self.meet_tiles(
                &window,
                first,
                #[inline(always)]
                |rays| seen.meet(rays),
                cast,
            ),
            None => self.meet_each(&window, cast),
        }
    }

    /// Offers an object to the rays of a window, as `meet` returns what neighbouring rays meet of it. Rays that it leaves
    /// out are cast by `cast`. The surfaces of the object are those from `first` on.
    #[inline(always)]
    pub(super) fn meet_tiles(
        &mut self,
        window: &Window,
        first: usize,
        meet: impl Fn(&Rays) -> Met,
        cast: impl Fn(&Beam, &mut Nearest),
    ) {
        let mut is_met = false;
        let mut spans = self.pattern.spans_of(window);
        while let Some(cells) = spans.next() {
            let Self { pattern, rays, found, origin, max_range, .. } = self;
            pattern.each_run(
                &cells,
                #[inline(always)]
                |from, to| {
                    for rays in &mut rays[from / TILE..=to / TILE] {
                        let met = meet(rays);
                        is_met |= rays.take(&met, found);
                        if is_any(&met.unsure) {
                            is_met |= rays.cast(&met.unsure, *origin, *max_range, found, &cast);
                        }
                    }
                },
            );
        }
        if !is_met {
            self.found.truncate(first);
        }
    }

    /// Offers what is met along each ray of a window.
    #[inline(always)]
    pub(super) fn meet_each(&mut self, window: &Window, cast: impl Fn(&Beam, &mut Nearest)) {
        let mut spans = self.pattern.spans_of(window);
        while let Some(cells) = spans.next() {
            let Self { pattern, rays, found, origin, max_range, .. } = self;
            pattern.each_run(
                &cells,
                #[inline(always)]
                |from, to| {
                    for at in from / TILE..=to / TILE {
                        let mut chosen = [0.0; TILE];
                        for (i, chosen) in chosen.iter_mut().enumerate() {
                            let ray = at * TILE + i;
                            *chosen = if from <= ray && ray <= to { 1.0 } else { 0.0 };
                        }
                        rays[at].cast(&chosen, *origin, *max_range, found, &cast);
                    }
                },
            );
        }
    }

    /// Returns whether a box is within the largest range.
    fn reaches(&self, [min, max]: [[f64; 3]; 2]) -> bool {
        let mut away = [0.0; 3];
        for axis in 0..3 {
            let at = self.origin[axis];
            away[axis] = (min[axis] - at).max(at - max[axis]).max(0.0);
        }
        // a negative or unknown range reaches nothing
        dot(away, away).sqrt() <= self.max_range * (1.0 + 1e-9) + 1e-9
    }

    /// Returns the window of a box.
    fn window_of(&self, [min, max]: [[f64; 3]; 2], buffers: &mut Buffers) -> Window {
        let mut corners = [[0.0; 3]; BLOCK];
        for (index, corner) in corners.iter_mut().enumerate() {
            for axis in 0..3 {
                let end = if index >> axis & 1 == 0 { min[axis] } else { max[axis] };
                corner[axis] = end - self.origin[axis];
            }
        }
        let sights = &mut buffers.sights;
        sights.clear();
        self.add_sights(&corners, sights);
        let is_known = corners.iter().flatten().all(|part| part.is_finite());
        let mut hulls = [[sights[0]; BLOCK]; BLOCK];
        for (hulls, sight) in hulls.iter_mut().zip(sights) {
            hulls[0] = *sight;
        }
        let window = windows(&hulls).get(0);
        // a box around the origin, or around the axis of the sensor, is seen in every direction
        let is_inside =
            (0..3).all(|axis| min[axis] <= self.origin[axis] && self.origin[axis] <= max[axis]);
        if is_inside || !is_known { Window::ALL } else { window }
    }
}

impl Rays {
    /// Casts the chosen ones of the rays one by one. Returns whether one of them meets what `cast` offers first.
    #[inline(never)]
    fn cast(
        &mut self,
        chosen: &[f64; TILE],
        origin: [f64; 3],
        max_range: f64,
        found: &mut Vec<Found>,
        cast: &impl Fn(&Beam, &mut Nearest),
    ) -> bool {
        let mut is_met = false;
        for (i, chosen) in chosen.iter().enumerate() {
            let direction = self.direction(i);
            // a ray without a direction, or behind the last one
            if *chosen == 0.0 || direction[0].is_nan() {
                continue;
            }
            let limit = if self.winner[i] == NOBODY { max_range } else { self.nearest[i] };
            let beam = Beam::along(origin, direction, limit);
            let mut nearest = Nearest(None);
            cast(&beam, &mut nearest);
            let Some(Strike { range, number, surface, normal }) = nearest.0 else { continue };
            let surface = Found { label: Label { number, surface }, normal, is_unit: true };
            let is_tie = range == self.nearest[i];
            if range < self.nearest[i] || is_tie && self.wins_tie(i, &surface, found) {
                (self.nearest[i], self.winner[i], is_met) = (range, found.len() as u64, true);
                found.push(surface);
            }
        }
        is_met
    }
}
