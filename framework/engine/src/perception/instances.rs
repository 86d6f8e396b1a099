//! The entities of a world by name.

use simhost_world::World;

/// An entity that sensors can see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EntityLabel {
    /// Number in the readings of sensors.
    pub number: u32,
    /// Name: that of a vehicle, `block/NAME`, `actor/NAME`, and so on.
    pub name: String,
}

/// Returns all entities that sensors can see in the order of their numbers.
pub fn instances(world: &World) -> Vec<EntityLabel> {
    let numbered =
        |word: &'static str, count: usize| (1..=count).map(move |number| format!("{word}{number}"));
    let vehicles = world.vehicles.iter().map(|vehicle| vehicle.name.clone());
    let blocks = world.blocks.iter().map(|block| format!("block/{}", block.name));
    let actors = world.actors.iter().map(|actor| format!("actor/{}", actor.name));
    let gates = world.vertical_planes.iter().map(|plane| format!("plane/{}", plane.name));
    let floors = world.horizontal_planes.iter().map(|plane| format!("plane/{}", plane.name));
    let names = vehicles
        .chain(blocks)
        .chain(actors)
        .chain(numbered("wall", world.walls.len()))
        .chain(gates)
        .chain(numbered("map", world.grids.len()))
        .chain(numbered("terrain", world.elevation_maps.len()))
        .chain(floors)
        .chain(std::iter::once("ground".to_owned()));
    (0..).zip(names).map(|(number, name)| EntityLabel { number, name }).collect()
}
