//! Terrain.

use std::sync::Arc;

use simhost_assets::{matrix, terrain};
use simhost_scene::{Edges, HeightField, Kernel};

use crate::description::{ElevationMap, Texture};
use crate::reader::Reader;
use crate::tag::Tag;
use crate::vocabulary::terrain::ELEVATION_MAP;
use crate::xml::{Element, Text};

/// What the heights come from, and where they stand.
struct Source<'e> {
    image: Option<&'e Text>,
    matrix: Option<&'e Text>,
    dem: Option<&'e Text>,
    /// Of the darkest and the brightest pixel, m.
    heights: [f64; 2],
    /// Height of the value 1, m.
    scale: f64,
    lattice: terrain::Lattice,
    offset: [f64; 3],
}

impl Reader<'_> {
    pub(crate) fn elevation_map(&mut self, element: &Element) {
        let mut tag = Tag::element(self, element, &ELEVATION_MAP);
        let source = Source {
            image: tag.text_of("elevation_image"),
            matrix: tag.text_of("elevation_data_matrix"),
            dem: tag.text_of("dem_xyzrgb_file"),
            heights: [tag.number("elevation_image_min_z"), tag.number("elevation_image_max_z")],
            scale: tag.number("elevation_data_matrix_scale"),
            lattice: terrain::Lattice {
                resolution: tag.number("resolution"),
                corner: ["corner_min_x", "corner_min_y"].map(|name| tag.given_number(name)),
            },
            offset: ["dem_offset_x", "dem_offset_y", "dem_offset_z"].map(|name| tag.number(name)),
        };
        let kernel = tag.text_of("apply_kernel");
        let color = tag.color("mesh_color");
        let rotation = tag.number("texture_image_rotate");
        let size = ["texture_extension_x", "texture_extension_y"].map(|name| tag.number(name));
        let texture = tag.texture("texture_image", size, rotation);
        tag.finish();
        let Some(mut field) = self.heights_of(element, &source) else { return };
        if !self.keep(size_of_val(field.heights()), element.name_span) {
            return;
        }
        if let Some(text) = kernel {
            let Some(kernel) = self.kernel(text) else { return };
            // the peer pads with zeros, so that edges sag
            let edges = if self.profile().lenient { Edges::Zero } else { Edges::Nearest };
            field = match field.convolved(&kernel, edges) {
                Ok(field) => field,
                Err(error) => {
                    self.error(text.span, error.to_string(), "cannot be smoothed", Vec::new());
                    return;
                }
            };
        }
        let (field, span) = (Arc::new(field), element.name_span);
        self.world.elevation_maps.push(ElevationMap { field, color, texture, span });
    }

    /// The first source of three.
    fn heights_of(&mut self, element: &Element, source: &Source<'_>) -> Option<HeightField> {
        let limits = self.asset_limits;
        let given = [source.image, source.matrix, source.dem];
        for unread in given.iter().flatten().skip(1) {
            self.warning(unread.span, "a second source of heights", "the first one holds");
        }
        if let Some(text) = source.image {
            let path = self.local_path(text)?;
            let read =
                |path: &_| terrain::read_image(path, source.heights, &source.lattice, &limits);
            return self.read_asset(text.span, &path, read);
        }
        if let Some(text) = source.matrix {
            let value = self.value(text)?;
            let parsed = matrix::parse(&value, &limits)
                .and_then(|matrix| terrain::from_matrix(&matrix, source.scale, &source.lattice));
            return self.understood(text, "elevation_data_matrix", parsed);
        }
        if let Some(text) = source.dem {
            let path = self.local_path(text)?;
            let options = terrain::DemOptions {
                resolution: source.lattice.resolution,
                offset: source.offset,
            };
            let read = |path: &_| terrain::read_dem(path, &options, &limits);
            return self.read_asset(text.span, &path, read);
        }
        let label = "expected <elevation_image>, <elevation_data_matrix> or <dem_xyzrgb_file>";
        let help = "help: write <elevation_data_matrix>[0 0; 0 1]</elevation_data_matrix>, or \
                    name a picture with <elevation_image>";
        let message = "a terrain without heights";
        self.error(element.name_span, message, label, vec![help.to_owned()]);
        None
    }

    fn kernel(&mut self, text: &Text) -> Option<Kernel> {
        let value = self.value(text)?;
        let parsed = matrix::parse_kernel(&value, &self.asset_limits);
        self.understood(text, "apply_kernel", parsed)
    }

    /// A value, or an error at its text.
    fn understood<T>(
        &mut self,
        text: &Text,
        name: &str,
        parsed: Result<T, simhost_assets::Problem>,
    ) -> Option<T> {
        match parsed {
            Ok(value) => Some(value),
            Err(problem) => {
                let message = format!("`{name}` is not understood: {problem}");
                self.error(text.span, message, "expected [a b; c d]", Vec::new());
                None
            }
        }
    }
}

impl Tag<'_, '_, '_> {
    /// An image on a surface.
    pub(crate) fn texture(&mut self, name: &str, size: [f64; 2], rotation: f64) -> Option<Texture> {
        let text = self.text_of(name)?;
        let uri = self.reader.value(text)?.to_string();
        let image = self.reader.picture(text);
        Some(Texture { image, uri, size, rotation })
    }
}
