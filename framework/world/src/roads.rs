//! Road networks, which are ground and lanes at once.

#[cfg(feature = "opendrive")]
mod opendrive;

use std::fmt;
use std::sync::Arc;

use simhost_scene::{Mesh, RoadMap};

use crate::block::Block;
use crate::diagnostics::Diagnostic;
use crate::georeference::Georeference;
use crate::reader::{ElementReader, declare};
use crate::semantic;
use crate::sources::Span;
use crate::tree::Text;
use crate::vocabulary::field::{class, either};
use crate::vocabulary::{Value, element};

/// A road network.
#[derive(Clone)]
pub struct RoadNetwork {
    /// Heights, lanes and routes.
    pub map: Arc<dyn RoadMap>,
    /// Surface and marks in colours, slightly above the road.
    pub surface: Arc<Mesh>,
    /// Position on Earth that the file gives.
    pub georeference: Option<Georeference>,
    /// Objects with a height, until they are added to the blocks of the world.
    pub(crate) obstacles: Vec<Block>,
    /// Semantic class, if given.
    pub semantic: Option<Arc<str>>,
    /// Position of the declaration.
    pub span: Span,
}

impl fmt::Debug for RoadNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RoadNetwork").field("map", &self.map).field("span", &self.span).finish()
    }
}

declare! {
    /// A road network in OpenDRIVE, at most one in a world: the ground of vehicles at its exact height, with the friction of the materials of lanes. Elsewhere, and below bridges and above tunnels, the ground is level at height 0. Needs a build with the feature `opendrive`.
    section = element("element class=\"road_network\"").with(&[class("road_network")]);

    /// A road network as given.
    #[derive(Clone)]
    pub(crate) struct GivenRoads {
        /// File in OpenDRIVE, version 1.4 to 1.8.
        file: Option<Text> = either(Value::Uri);
        /// Whether objects with a height, such as barriers, poles, trees and buildings, are static blocks.
        obstacles: bool = either(Value::Bool).or("true");
        /// Semantic class.
        semantic: Option<Arc<str>> = semantic::ENTRY;
    }
}

/// Reads a network.
pub(crate) fn read(mut reader: ElementReader<'_, '_, '_>) -> Option<RoadNetwork> {
    let span = reader.element.name_span;
    let given = reader.fields::<GivenRoads>();
    let context = reader.finish();
    let GivenRoads { file, obstacles, semantic } = given?;
    let Some(file) = file else {
        let error = Diagnostic::error("missing `file` in `<element class=\"road_network\">`");
        context.report.push(error.at(span).help("write file=\"NAME.xodr\""));
        return None;
    };
    #[cfg(feature = "opendrive")]
    {
        let network = opendrive::load(context, &file, obstacles)?;
        Some(RoadNetwork { semantic, span, ..network })
    }
    #[cfg(not(feature = "opendrive"))]
    {
        let _ = (semantic, obstacles);
        let error = Diagnostic::error("road networks in OpenDRIVE are not supported by this build");
        let help = "rebuild simhost with `cargo build --release --features opendrive`";
        context.report.push(error.at(span).label("needs the feature `opendrive`").help(help));
        let _ = file;
        None
    }
}
