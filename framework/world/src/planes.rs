//! Level floors and upright walls.

use crate::description::{HorizontalPlane, Opening, OpeningKind, VerticalPlane};
use crate::reader::Reader;
use crate::tag::Tag;
use crate::vocabulary::plane::{DOOR, HORIZONTAL_PLANE, VERTICAL_PLANE, WINDOW};
use crate::xml::Element;

impl Reader<'_> {
    pub(crate) fn horizontal_plane(&mut self, element: &Element) {
        let mut tag = Tag::element(self, element, &HORIZONTAL_PLANE);
        let size = ["texture_size_x", "texture_size_y"].map(|name| tag.number(name));
        let plane = HorizontalPlane {
            pose: tag.pose().unwrap_or_default(),
            x: tag.range("x_min", "x_max"),
            y: tag.range("y_min", "y_max"),
            z: tag.number("z"),
            animation: tag.animation(),
            color: tag.color("color"),
            texture: tag.texture("texture", size, 0.0),
            cull_face: tag.word("cull_face").to_owned(),
            shadows: tag.flag("enable_shadows"),
            publish: tag.publish(),
            span: element.name_span,
        };
        tag.finish();
        self.world.horizontal_planes.push(plane);
    }

    pub(crate) fn vertical_plane(&mut self, element: &Element) {
        let mut tag = Tag::element(self, element, &VERTICAL_PLANE);
        let size = ["texture_size_x", "texture_size_y"].map(|name| tag.number(name));
        let openings = tag.children(&["door", "window"]);
        let mut plane = VerticalPlane {
            pose: tag.pose().unwrap_or_default(),
            from: [tag.number("x0"), tag.number("y0")],
            to: [tag.number("x1"), tag.number("y1")],
            z: tag.number("z"),
            height: tag.number("height"),
            thickness: tag.number("thickness"),
            openings: Vec::new(),
            animation: tag.animation(),
            color: tag.color("color"),
            texture: tag.texture("texture", size, 0.0),
            cull_face: tag.word("cull_face").to_owned(),
            shadows: tag.flag("enable_shadows"),
            publish: tag.publish(),
            span: element.name_span,
        };
        tag.finish();
        plane.openings = openings.into_iter().map(|opening| self.opening(opening)).collect();
        if plane.from == plane.to {
            let label = "both ends are equal";
            self.error(element.name_span, "a wall without length", label, Vec::new());
        }
        self.world.vertical_planes.push(plane);
    }

    fn opening(&mut self, element: &Element) -> Opening {
        let (kind, section) = match element.name.as_str() {
            "door" => (OpeningKind::Door, &DOOR),
            _ => (OpeningKind::Window, &WINDOW),
        };
        let mut tag = Tag::new(self, element, section);
        let (name, position) = (tag.text("name"), tag.number("position"));
        let width = tag.number("width");
        let [z_min, z_max] = tag.range("z_min", "z_max");
        tag.finish();
        Opening { kind, name, position, width, z_min, z_max }
    }
}
