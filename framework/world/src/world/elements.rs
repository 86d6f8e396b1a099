//! The `<element class="…">` element: ground, walls, regions and surroundings.

use super::description::World;
use crate::context::Context;
use crate::diagnostics::{Diagnostic, did_you_mean};
use crate::maps::{GridMap, GroundGrid, PointCloud};
use crate::plane::{HorizontalPlane, VerticalPlane};
use crate::reader::{ElementReader, FromElement, place_of, report_without_effect};
use crate::sky::Skybox;
use crate::tree::Element;
use crate::vocabulary::Section;
use crate::{maps, models, plane, region, roads, sky, terrain};

/// The section of every class.
pub(super) static ELEMENTS: &[&Section] = &[
    maps::GridMap::SECTION,
    terrain::GivenTerrain::SECTION,
    roads::GivenRoads::SECTION,
    plane::HorizontalPlane::SECTION,
    plane::VerticalPlane::SECTION,
    maps::GroundGrid::SECTION,
    maps::PointCloud::SECTION,
    region::GivenRegion::SECTION,
    sky::Skybox::SECTION,
];

/// Names of MVSim's manual, with the class that they mean.
const ALIASES: &[(&str, &str)] = &[("point_cloud", "pointcloud")];

/// Returns the class in the name of a section.
fn class_of(section: &Section) -> &'static str {
    section.name.split('"').nth(1).unwrap_or_default()
}

/// Reads an `<element>` into the world.
pub(super) fn read(context: &mut Context<'_>, world: &mut World, element: &Element) {
    let known = || ELEMENTS.iter().map(|section| class_of(section));
    let list = || format!("known classes: {}", known().collect::<Vec<_>>().join(", "));
    let Some(class) = element.attribute("class") else {
        let error = Diagnostic::error("missing `class` in `<element>`")
            .at(element.name_span)
            .help("write <element class=\"…\">")
            .note(list());
        context.report.push(error);
        return;
    };
    let Some(name) = class.value() else { return };
    let alias = ALIASES.iter().find(|(alias, _)| *alias == name);
    let name = alias.map_or(name, |(_, class)| class);
    let Some(section) = ELEMENTS.iter().find(|section| class_of(section) == name) else {
        let message = format!("unknown element class `{name}`");
        let diagnostic = Diagnostic::new(context.unknown_severity(), message).at(class.span);
        let diagnostic = match models::other_kind(context, name) {
            Some(kind) => {
                diagnostic.label(models::in_other_element(kind, name)).help(place_of(kind))
            }
            None => diagnostic.label(did_you_mean(name, known())),
        };
        context.report.push(diagnostic.note(list()));
        return;
    };
    let mut reader = ElementReader::new(context, element, section);
    reader.take("class");
    report_names_of_other_classes(&mut reader);
    match name {
        "occupancy_grid" => world.grids.extend(GridMap::read_from(reader)),
        "elevation_map" => world.elevation_maps.extend(terrain::read(reader)),
        "road_network" => read_roads(reader, world),
        "horizontal_plane" => {
            let number = world.horizontal_planes.len() + 1;
            let plane = HorizontalPlane::read_from(reader);
            world.horizontal_planes.extend(plane.map(|plane| plane.numbered(number)));
        }
        "vertical_plane" => {
            let number = world.vertical_planes.len() + 1;
            let plane = VerticalPlane::read_from(reader);
            world.vertical_planes.extend(plane.map(|plane| plane.numbered(number)));
        }
        "ground_grid" => world.scenery.ground_grids.extend(GroundGrid::read_from(reader)),
        "pointcloud" => world.point_clouds.extend(PointCloud::read_from(reader)),
        "property_region" => world.regions.extend(region::read(reader)),
        _ => world.scenery.skybox = Skybox::read_from(reader).or(world.scenery.skybox.take()),
    }
}

/// Reads the road network of a world. Reports a second one.
fn read_roads(reader: ElementReader<'_, '_, '_>, world: &mut World) {
    if world.roads.is_some() {
        let error = Diagnostic::error("a second road network in a world")
            .at(reader.element.name_span)
            .label("expected one")
            .help("join the networks in one file");
        reader.context.report.push(error);
        return;
    }
    world.roads = roads::read(reader);
}

/// Warns of names that only other classes have.
fn report_names_of_other_classes(reader: &mut ElementReader<'_, '_, '_>) {
    let is_elsewhere = |name: &str| {
        let mut entries = ELEMENTS.iter().flat_map(|section| section.entries);
        entries.any(|entry| entry.names().any(|known| known == name))
    };
    let ignored = reader.claim(is_elsewhere);
    let reason = format!("on a `{}`", class_of(reader.section));
    let note = "it belongs to another class of elements";
    report_without_effect(reader.context, &ignored, &reason, Some(note));
}
