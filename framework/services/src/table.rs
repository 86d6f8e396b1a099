//! The table of all services.

use simhost_streams::{Input, SessionRequest};

use crate::service::{Action, Service};
use crate::{entities, session, simulation, spawning};

/// Makes services from rows with the name, the type, the form of the action with the action, the effect, and for types
/// of `simhost_msgs` the definition of the request.
macro_rules! services {
    ($($name:literal $kind:literal $form:ident($action:expr) $doc:literal $($request:literal)?;)*) => {
        &[$(Service {
            name: $name,
            kind: $kind,
            doc: $doc,
            request: concat!($($request)?),
            action: Action::$form($action),
        }),*]
    };
}

/// Services that need no knowledge of the world, which servers of recordings offer too.
const RUN: &[Service] = services! {
    "pause" "std_srvs/srv/Trigger" Message(|call| call.send(Input::Pause))
        "Pauses the run.";
    "resume" "std_srvs/srv/Trigger" Message(|call| call.send(Input::Resume))
        "Ends the pause.";
    "set_paused" "std_srvs/srv/SetBool" Message(session::set_paused)
        "Pauses the run, or ends the pause.";
    "step" "simhost_msgs/srv/Step" Message(session::step)
        "Advances the run by steps during a pause."
        "# Number of steps to make during a pause; 0 counts as 1.\nuint64 steps 1\n";
    "reset" "simhost_msgs/srv/Reset" Message(session::reset)
        "Returns to the start."
        "# Seed of all random numbers; -1 keeps the present one.\nint64 seed -1\n";
    "pace" "simhost_msgs/srv/Pace" Message(session::pace)
        "Changes the pace."
        "# Simulated time per wall time, greater than 0.\nfloat64 factor\n";
    "stop" "std_srvs/srv/Trigger" Message(session::stop)
        "Ends the run.";
    "add_fault" "simhost_msgs/srv/AddFault" Message(session::add_fault)
        "Makes an entry in the fault memory of a vehicle."
        "# Vehicle in whose fault memory the entry is made.\nstring vehicle\n\
         # Part that reports the fault, such as brake.\nstring sensor\n\
         # ok, service_required, damaged, critical or failure.\nstring severity\n\
         # Number of the fault among those of its part.\nuint32 code 0\n\
         # Description, empty if there is none.\nstring text \"\"\n";
    "clear_faults" "simhost_msgs/srv/ClearFaults"
        Message(|call| call.send(Input::ClearFaults { vehicle: call.text("vehicle") }))
        "Clears the fault memory of a vehicle."
        "# Vehicle whose fault memory is cleared.\nstring vehicle\n";
};

/// Services for which the server must know the world.
const WORLD: &[Service] = services! {
    "describe" "std_srvs/srv/Trigger" Message(session::describe)
        "Returns a description of the world and its inputs in JSON as `message`.";
    "add" "simhost_msgs/srv/Add"
        Message(|call| call.send(Input::Add { fragment: call.text("fragment"), files: Vec::new() }))
        "Adds entities."
        "# Piece of a world file with new vehicles and blocks.\nstring fragment\n";
    "remove" "simhost_msgs/srv/Remove"
        Message(|call| call.send(Input::Remove { entity: call.text("entity") }))
        "Removes an entity."
        "# Name of a vehicle, or block/NAME.\nstring entity\n";
    "set_pose" "simhost_msgs/srv/SetPose" Message(session::set_pose)
        "Moves a vehicle or a block, which then stands still."
        "# Name of a vehicle, or block/NAME, which then stands still.\nstring entity\n\
         # Position in the world, m.\nfloat64 x\nfloat64 y\n# Heading, rad.\nfloat64 yaw\n";
    "log" "simhost_msgs/srv/Log" Message(session::log)
        "Switches the logs of vehicles."
        "# Vehicle whose log is switched; empty for all vehicles.\nstring vehicle\n\
         # on, off, new or clear.\nstring action\n";
    "record" "simhost_msgs/srv/Record" Message(session::record)
        "Records all streams of the run in an MCAP file, and returns its path as `message`."
        "# on: all streams are recorded in an MCAP file from now on; off: the file is completed.\n\
         string action\n";
    "claim" "simhost_msgs/srv/Claim" Message(session::claim)
        "Lets only this client command a vehicle, and returns its name as `message`."
        "# Vehicle that only this client commands until it releases it or leaves.\nstring vehicle\n";
    "release" "simhost_msgs/srv/Release" Message(session::release)
        "Lets others command a vehicle again."
        "# Vehicle that others may command again.\nstring vehicle\n";
    "snapshot" "std_srvs/srv/Trigger" Message(|call| call.ask(SessionRequest::Snapshot))
        "Keeps the present state, and returns its name as `message`.";
    "restore" "simhost_msgs/srv/Restore"
        Message(|call| call.ask(SessionRequest::Restore(call.text("name"))))
        "Returns to a snapshot."
        "# Name that /simhost/snapshot has returned.\nstring name\n";
    "save_world" "simhost_msgs/srv/SaveWorld" Message(session::save_world)
        "Returns the world with all changes as a world file as `message`."
        "# Initial poses that differ from those of the world file, a line each: entity, x and y in m, yaw in rad.\n\
         string poses\n";
    "list_quantities" "std_srvs/srv/Trigger" Message(|call| call.ask(SessionRequest::ListQuantities))
        "Returns all quantities in JSON as `message`.";
    "read_quantities" "simhost_msgs/srv/ReadQuantities" Message(session::read_quantities)
        "Returns the time and the present values of quantities in JSON as `message`."
        "# Names of quantities, a line each.\nstring names\n";
    "read_contacts" "std_srvs/srv/Trigger" Message(|call| call.ask(SessionRequest::ReadContacts))
        "Returns the time and the points at which bodies touch in JSON as `message`.";
    "get_simulator_features" "simulation_interfaces/srv/GetSimulatorFeatures" Whole(simulation::features)
        "Lists the supported features of `simulation_interfaces`.";
    "get_simulation_state" "simulation_interfaces/srv/GetSimulationState" Result(simulation::get_state)
        "Returns whether the run is stopped, playing or paused.";
    "set_simulation_state" "simulation_interfaces/srv/SetSimulationState" Result(simulation::set_state)
        "Stops, plays, pauses or ends the run.";
    "step_simulation" "simulation_interfaces/srv/StepSimulation" Result(simulation::step)
        "Advances the run by steps during a pause, and waits for them.";
    "reset_simulation" "simulation_interfaces/srv/ResetSimulation" Result(simulation::reset)
        "Returns to the start, or removes the entities that have been spawned.";
    "get_current_world" "simulation_interfaces/srv/GetCurrentWorld" Result(simulation::world)
        "Returns the name and the file of the world.";
    "get_entities" "simulation_interfaces/srv/GetEntities" Result(entities::list)
        "Lists the entities that pass a filter.";
    "get_entities_states" "simulation_interfaces/srv/GetEntitiesStates" Result(entities::states)
        "Returns the poses and velocities of the entities that pass a filter.";
    "get_entity_state" "simulation_interfaces/srv/GetEntityState" Result(entities::state)
        "Returns the pose and the velocity of an entity.";
    "get_entity_info" "simulation_interfaces/srv/GetEntityInfo" Result(entities::info)
        "Returns the kind, the tags and a description of an entity.";
    "set_entity_state" "simulation_interfaces/srv/SetEntityState" Result(entities::set_state)
        "Sets the pose or the velocity of an entity.";
    "spawn_entity" "simulation_interfaces/srv/SpawnEntity" Result(spawning::spawn)
        "Adds an entity.";
    "spawn_entities" "simulation_interfaces/srv/SpawnEntities" Result(spawning::spawn_all)
        "Adds several entities.";
    "delete_entity" "simulation_interfaces/srv/DeleteEntity" Result(spawning::delete)
        "Removes an entity.";
    "get_spawnables" "simulation_interfaces/srv/GetSpawnables" Result(spawning::spawnables)
        "Lists the classes of the world from which entities can be made.";
};

/// Returns the services of a server, which may know the world, in their order.
pub fn services(knows_world: bool) -> impl Iterator<Item = &'static Service> {
    RUN.iter().chain(WORLD.iter().filter(move |_| knows_world))
}
