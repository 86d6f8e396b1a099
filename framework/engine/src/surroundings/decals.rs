//! Images on planes, walls and terrain.

use std::collections::BTreeMap;
use std::f64::consts::FRAC_PI_2;
use std::path::PathBuf;
use std::sync::Arc;

use simhost_scene::{ColorImage, Pose3};
use simhost_sdk::math::sin_cos;
use simhost_sensing::{Decal, Space};
use simhost_world::{ElevationMap, HorizontalPlane, Span, Texture, VerticalPlane};

use crate::physics::BodyError;

/// A rectangle on which copies of an image are laid, from its lower left corner on.
pub(crate) struct Sheet<'t> {
    texture: &'t Texture,
    span: Span,
    /// World frame, m.
    corner: [f64; 3],
    /// Unit directions of the width and of the height of the image, world frame.
    axes: [[f64; 3]; 2],
    /// Size of the rectangle, m: that of an image without a size of its own.
    size: [f64; 2],
    /// Size of one copy of the image, m; 0 for that of the rectangle.
    copy: [f64; 2],
}

impl<'t> Sheet<'t> {
    /// Returns the upper side of a horizontal plane, if it has an image.
    pub fn of_floor(plane: &'t HorizontalPlane) -> Option<Self> {
        let size = [plane.x[1] - plane.x[0], plane.y[1] - plane.y[0]];
        let corner = [plane.x[0], plane.y[0], plane.z];
        let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
        let (texture, span) = (plane.surface.texture.as_ref()?, plane.span);
        let copy = texture.size;
        Some(Self { texture, span, corner, axes, size, copy }.placed(plane.pose))
    }

    /// Returns the side of a wall, if it has an image.
    pub fn of_wall(plane: &'t VerticalPlane) -> Option<Self> {
        let [x, y] = [0, 1].map(|axis| plane.to[axis] - plane.from[axis]);
        let length = (x * x + y * y).sqrt();
        let corner = [plane.from[0], plane.from[1], plane.z];
        let axes = [[x / length, y / length, 0.0], [0.0, 0.0, 1.0]];
        let (texture, span) = (plane.surface.texture.as_ref()?, plane.span);
        let (size, copy) = ([length, plane.height], texture.size);
        Some(Self { texture, span, corner, axes, size, copy }.placed(plane.pose))
    }

    /// Returns terrain as it is seen from above, if it has an image.
    pub fn of_terrain(map: &'t ElevationMap) -> Option<Self> {
        let texture = map.texture.as_ref()?;
        let ([left, bottom], size) = (map.field.corner(), map.field.extent());
        // in quarter turns about the centre, all four sides stay sides; rows of an image of heights follow
        // each other along x, and an image on the terrain is the same way round
        let quarter = 1.0 + (texture.rotation / FRAC_PI_2).round();
        let (sin, cos) = sin_cos(FRAC_PI_2 * quarter);
        let (sin, cos) = (sin.round(), cos.round());
        let turn = |[x, y]: [f64; 2]| if sin == 0.0 { [x, y] } else { [y, x] };
        let (turned, copy) = (turn(size), turn(texture.size));
        let axes = [[cos, sin, 0.0], [-sin, cos, 0.0]];
        let centre = [left + 0.5 * size[0], bottom + 0.5 * size[1]];
        let away = |axis: usize| 0.5 * (turned[0] * axes[0][axis] + turned[1] * axes[1][axis]);
        let corner = [centre[0] - away(0), centre[1] - away(1), 0.0];
        Some(Self { texture, span: map.span, corner, axes, size: turned, copy })
    }

    /// Returns the rectangle in a frame with this pose.
    fn placed(self, pose: Pose3) -> Self {
        let rotation = pose.rotation();
        let turned = |vector: [f64; 3]| {
            rotation.map(|row| row[0] * vector[0] + row[1] * vector[1] + row[2] * vector[2])
        };
        let ([x, y, z], at) = (turned(self.corner), pose.position());
        let corner = [at[0] + x, at[1] + y, at[2] + z];
        Self { corner, axes: self.axes.map(turned), ..self }
    }
}

/// Images of a world that is being built. A file is read once.
#[derive(Default)]
pub(crate) struct Decals {
    images: BTreeMap<PathBuf, Arc<ColorImage>>,
}

impl Decals {
    /// Adds the image of a rectangle, and returns its number and its mean colour. Returns `None` if the
    /// image is not available.
    pub fn add(
        &mut self,
        space: &mut Space,
        sheet: &Sheet<'_>,
    ) -> Result<Option<(u32, [u8; 4])>, BodyError> {
        let texture = sheet.texture;
        let Some(path) = &texture.image else { return Ok(None) };
        if !self.images.contains_key(path) {
            let image = texture.read_image().transpose().map_err(|error| BodyError {
                text: format!("the image `{}` cannot be used by sensors: {error}", texture.uri),
                span: sheet.span,
            })?;
            let Some(image) = image else { return Ok(None) };
            self.images.insert(path.clone(), Arc::new(image));
        }
        let image = Arc::clone(&self.images[path]);
        let axes = [0, 1].map(|side| {
            let own = sheet.copy[side];
            let length = if own > 0.0 { own } else { sheet.size[side] };
            sheet.axes[side].map(|part| part / length)
        });
        let mean = image.mean();
        Ok(Some((space.add_decal(Decal { image, origin: sheet.corner, axes }), mean)))
    }
}
