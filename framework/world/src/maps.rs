//! Floor plans and point clouds.

use std::sync::Arc;

use simhost_assets::{cloud, grid};

use crate::description::{GridMap, PointCloud, Pose};
use crate::geometry::pose_of;
use crate::reader::Reader;
use crate::tag::Tag;
use crate::vocabulary::map::{OCCUPANCY_GRID, OF_IMAGES, POINT_CLOUD};
use crate::xml::Element;

impl Reader<'_> {
    pub(crate) fn occupancy_grid(&mut self, element: &Element) {
        let mut tag = Tag::element(self, element, &OCCUPANCY_GRID);
        let file = tag.text_of("file");
        let file = tag.needed("file", file);
        let options = grid::GridOptions {
            resolution: tag.number("resolution"),
            center_pixel: [tag.number("centerpixel_x"), tag.number("centerpixel_y")],
        };
        let (restitution, lateral_friction) =
            (tag.number("restitution"), tag.number("lateral_friction"));
        tag.finish();
        let Some(text) = file else { return };
        let Some(path) = self.local_path(text) else { return };
        self.unread_by_maps(element, &path.to_string_lossy());
        let limits = self.asset_limits;
        let read = |path: &_| grid::read(path, &options, &limits);
        let Some(map) = self.read_asset(text.span, &path, read) else { return };
        if !self.keep(map.grid.cells().len(), text.span) {
            return;
        }
        for warning in map.warnings {
            self.warning(text.span, warning, "no effect");
        }
        self.world.grids.push(GridMap {
            grid: Arc::new(map.grid),
            collides: true,
            restitution,
            lateral_friction,
            span: element.name_span,
        });
    }

    /// A map file knows its own size and place.
    fn unread_by_maps(&mut self, element: &Element, path: &str) {
        let endings = [".yaml", ".yml", ".gridmap", ".gridmap.gz"];
        let Some(ending) = endings.iter().find(|ending| path.ends_with(**ending)) else { return };
        for child in
            element.children.iter().filter(|child| OF_IMAGES.contains(&child.name.as_str()))
        {
            let message = format!("`{}` has no effect beside a `{ending}` file", child.name);
            self.warning(child.name_span, message, "the file tells it");
        }
    }

    pub(crate) fn point_cloud(&mut self, element: &Element) {
        let mut tag = Tag::element(self, element, &POINT_CLOUD);
        let (solid, flat) = (tag.text_of("file_txt_3d"), tag.text_of("file_txt_2d"));
        let point_size = tag.number("points_size");
        let pose = tag.given_row("pose_3d").map_or(Pose::default(), |row| pose_of(&row));
        tag.finish();
        let Some(text) = solid.or(flat) else {
            let label = "expected <file_txt_3d> or <file_txt_2d>";
            let help = "help: write <file_txt_3d>FILE</file_txt_3d>: rows of x y z, m";
            let message = "a point cloud without a file";
            self.error(element.name_span, message, label, vec![help.to_owned()]);
            return;
        };
        let Some(path) = self.local_path(text) else { return };
        let limits = self.asset_limits;
        let read = |path: &_| cloud::read(path, &limits);
        let Some(mut points) = self.read_asset(text.span, &path, read) else { return };
        if !self.keep(size_of_val(&points[..]), text.span) {
            return;
        }
        if solid.is_none() {
            points.iter_mut().for_each(|point| point[2] = 0.0);
        }
        let (points, span) = (Arc::new(points), element.name_span);
        self.world.point_clouds.push(PointCloud { points, pose, point_size, span });
    }
}
