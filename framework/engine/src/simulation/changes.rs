//! Changes between steps: poses and velocities, and the description of changes of the world.

use std::sync::Arc;

use simhost_model::ParamValue;
use simhost_sdk::math;

use super::Simulation;
use crate::blueprint::Mover;
use crate::physics::Body;
use crate::state::State;
use crate::table::ModelRole;

/// An entity cannot be placed elsewhere.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlaceError {
    /// No vehicle and no block that moves has this name.
    #[error("unknown vehicle or movable block: '{0}'")]
    Unknown(String),
    /// An animation determines the pose.
    #[error("'{0}' follows an animation")]
    Planned(String),
}

impl Simulation {
    /// Returns the names of everything that [`Self::set_pose`] can place elsewhere: vehicles, then blocks
    /// as `block/NAME`, each in the order of the world file.
    pub fn placeable(&self) -> impl Iterator<Item = &str> {
        let vehicles = self.blueprint.names.iter().zip(&self.blueprint.places).filter_map(
            |(name, &(table, lane))| {
                let body = self.state.body_of((table, lane));
                (!self.state.physics.bodies.is_planned(body)).then_some(name.as_str())
            },
        );
        let movers = self.blueprint.mover_names.iter().zip(&self.blueprint.movers);
        let blocks = movers.filter(|(_, mover)| {
            mover.block.is_some() && !self.state.physics.bodies.is_planned(mover.body)
        });
        vehicles.chain(blocks.map(|(name, _)| name.as_str()))
    }

    /// Moves a vehicle, or a block as `block/NAME`, to another pose, at rest: x, y, m, and yaw, rad, world
    /// frame. A vehicle stands on the ground there, with wheels that do not spin; models keep their states,
    /// odometry its estimate.
    ///
    /// # Errors
    /// [`PlaceError`] if there is no such entity, or it follows an animation.
    pub fn set_pose(&mut self, entity: &str, [x, y, yaw]: [f64; 3]) -> Result<(), PlaceError> {
        let (sin, cos) = math::sin_cos(yaw);
        let (body, place) = body_to_place(self, entity)?;
        self.state.physics.put(body, [x, y], [cos, sin]);
        if let Some((table, lane)) = place {
            let ceiling = self.state.physics.bodies.heights(body).into_iter().sum::<f64>() / 2.0;
            let State { tables, physics, ground, .. } = &mut self.state;
            tables[table].put(lane, ceiling, ground, physics);
        }
        Ok(())
    }

    /// Sets the velocity of a vehicle, or of a block as `block/NAME`, with the meaning of `<init_vel>`: velocity of
    /// the reference point of a vehicle, or of the centre of mass of a block, along the axes of the entity, m/s, and
    /// yaw rate, rad/s; in the profile of MVSim, that of the centre of mass in the world frame. The wheels of a vehicle
    /// roll, except in that profile.
    ///
    /// # Errors
    /// [`PlaceError`] if there is no such entity, or it follows an animation.
    pub fn set_velocity(&mut self, entity: &str, velocity: [f64; 3]) -> Result<(), PlaceError> {
        let (body, place) = body_to_place(self, entity)?;
        let in_world = self.blueprint.velocities_in_world;
        self.state.physics.launch(body, velocity, centre_of(&self.state, place), in_world);
        if let Some((table, lane)) = place {
            let twist = (!in_world).then_some(velocity);
            let State { tables, physics, ground, .. } = &mut self.state;
            tables[table].launch(lane, twist, ground, physics);
        }
        Ok(())
    }

    /// Returns the pose of an entity as for [`Self::set_pose`] and its velocity as for [`Self::set_velocity`].
    ///
    /// # Errors
    /// [`PlaceError`] if there is no such entity, or it follows an animation.
    pub fn motion_of(&self, entity: &str) -> Result<([f64; 3], [f64; 3]), PlaceError> {
        let (body, place) = body_to_place(self, entity)?;
        let state = self.state.physics.bodies.state(body);
        let pose = state.pose();
        let velocity = match place {
            Some((table, lane)) if !self.blueprint.velocities_in_world => {
                self.state.tables[table].vehicles.twist(lane)
            }
            _ => state.motion(centre_of(&self.state, place), self.blueprint.velocities_in_world),
        };
        Ok(([pose.x, pose.y, pose.yaw], velocity))
    }

    /// Gives a model of a vehicle other values of the parameters that can differ between vehicles which share their
    /// models; the simulation must have been built by [`Self::of_member`]. The states of the model begin with their
    /// initial values. `values` are those of all parameters, as they stand in the description of the world. Vehicles are
    /// indexed as in [`Self::vehicle_names`].
    ///
    /// # Errors
    /// The message of the model if it rejects the values.
    pub fn set_model_values(
        &mut self,
        vehicle: usize,
        role: ModelRole,
        values: &Arc<[ParamValue]>,
    ) -> Result<(), String> {
        let (table, lane) = self.blueprint.places[vehicle];
        self.state.tables[table].set_model_values(lane, role, values)
    }

    /// Sets the description of changes of the world since it was opened, which snapshots and the state
    /// hash cover; empty for a world as it was opened.
    pub fn set_edits(&mut self, edits: String) {
        self.state.edits = edits;
    }

    /// Returns the description of changes of the world since it was opened.
    pub fn edits(&self) -> &str {
        &self.state.edits
    }
}

/// Returns the body of an entity that can be placed elsewhere, and table and lane of a vehicle.
fn body_to_place(
    of: &Simulation,
    entity: &str,
) -> Result<(Body, Option<(usize, usize)>), PlaceError> {
    let place = of.blueprint.place_of(entity);
    let body = match place {
        Some((table, lane)) => of.state.body_of((table, lane)),
        None => {
            let found =
                of.blueprint.mover_names.number(entity).map(|number| &of.blueprint.movers[number]);
            let Some(Mover { body, block: Some(_), .. }) = found else {
                return Err(PlaceError::Unknown(entity.to_owned()));
            };
            *body
        }
    };
    match of.state.physics.bodies.is_planned(body) {
        true => Err(PlaceError::Planned(entity.to_owned())),
        false => Ok((body, place)),
    }
}

/// Returns the centre of mass of a vehicle in its frame, m; the origin for a block, whose velocity is that of
/// its centre of mass.
fn centre_of(state: &State, place: Option<(usize, usize)>) -> [f64; 2] {
    place.map_or([0.0; 2], |(table, lane)| state.tables[table].vehicles.centre(lane))
}
