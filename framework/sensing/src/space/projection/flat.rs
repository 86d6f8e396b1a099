//! Maps, planes and the level ground among the rays of a scan.

use super::SpaceScan;
use crate::space::Space;
use crate::space::beam::Beam;
use crate::space::map::{Map, SeenMap, View};
use crate::space::nearest::Nearest;
use crate::space::pattern::{TILE, Window};
use crate::space::plate::{Plate, SeenPlate};

impl SpaceScan<'_> {
    /// Prepares the maps for level directions.
    pub(super) fn see_maps(
        &self,
        space: &Space,
        accepts: &dyn Fn(u32) -> bool,
        views: &mut Vec<View>,
    ) {
        views.resize_with(space.maps.len(), View::default);
        for (map, view) in space.maps.iter().zip(views) {
            view.forget();
            if accepts(map.label.number) {
                let rays = self.pattern.places.len();
                view.look(&map.grid, || map.walls(), self.origin, self.max_range, rays);
            }
        }
    }

    /// Offers planes, the level ground and maps. Maps are the last, because following a ray from cell to cell takes longer
    /// the farther it reaches.
    #[inline(always)]
    pub(super) fn meet_flat(
        &mut self,
        space: &Space,
        accepts: &dyn Fn(u32) -> bool,
        views: &[View],
    ) {
        for plate in space.plates.iter().filter(|plate| accepts(plate.label.number)) {
            self.meet_plate(plate, None);
        }
        if let Some(level) = space.level.as_ref().filter(|level| accepts(level.label.number)) {
            self.meet_plate(level, (!space.terrain.is_empty()).then_some(space));
        }
        for (map, view) in space.maps.iter().zip(views) {
            if accepts(map.label.number) {
                self.meet_map(map, view);
            }
        }
    }

    /// Offers a map.
    #[inline(always)]
    fn meet_map(&mut self, map: &Map, view: &View) {
        let cast = |beam: &Beam, nearest: &mut Nearest| {
            nearest.offer(beam, map.cast(beam, Some(view)));
        };
        let first = self.found.len();
        match SeenMap::new(map, view, self.origin, self.found) {
            Some(seen) => self.meet_tiles(
                &Window::ALL,
                first,
                #[inline(always)]
                |rays| seen.meet(rays),
                cast,
            ),
            None => self.meet_each(&Window::ALL, cast),
        }
    }

    /// Offers a rectangle, except where the terrain of a space is.
    #[inline(always)]
    fn meet_plate(&mut self, plate: &Plate, covered: Option<&Space>) {
        let (first, origin) = (self.found.len(), self.origin);
        let seen = SeenPlate::new(plate, origin, self.found);
        self.meet_tiles(
            &Window::ALL,
            first,
            #[inline(always)]
            |rays| {
                let mut met = seen.meet(rays);
                if let Some(space) = covered {
                    for i in 0..TILE {
                        let beam = Beam::along(origin, rays.direction(i), f64::INFINITY);
                        let is_open = met.ranges[i] <= rays.nearest[i];
                        if is_open && !space.is_bare(beam.at(met.ranges[i])) {
                            met.ranges[i] = f64::INFINITY;
                        }
                    }
                }
                met
            },
            |_, _| (),
        );
    }
}
