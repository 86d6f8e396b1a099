//! Several steps at once, table by table.
//!
//! While no vehicle can touch anything and nothing observes the world, tables do not depend on each
//! other. Stepping one table several times before the next keeps its columns in the cache, and threads
//! meet once for all of these steps. The results are those of single steps: if anything happens that
//! concerns more than one table (a neighbour search, a fault, a divergence), all tables return to the
//! start and single steps follow.

use simhost_model::profile;

use super::parts::for_each_part;
use super::{StepError, VEHICLES_FOR_THREADS, step};
use crate::blueprint::Blueprint;
use crate::physics::Physics;
use crate::state::State;
use crate::table::{self, EndAtFirst, StepsAlone, Table};
use crate::workers::{Crew, Workers};

/// Greatest number of steps that tables make at once.
const MOST: u64 = 16;
/// The same in a world with at most [`FEW_VEHICLES`] vehicles, whose tables stay in the cache anyway.
const MOST_OF_FEW: u64 = 128;
const FEW_VEHICLES: usize = 128;
/// Part of the way to the next neighbour search, at the present speeds, that is stepped at once.
const CAUTION: f64 = 0.8;

/// Advances a state by `steps` steps, with the same result as that many calls of [`step`], and adds the number of steps that
/// tables have made on their own to `alone`.
///
/// # Errors
/// As for [`step`].
pub(crate) fn run(
    state: &mut State,
    blueprint: &Blueprint,
    workers: &Workers,
    steps: u64,
    alone: &mut u64,
) -> Result<(), StepError> {
    let end = state.clock.steps + steps;
    let most = if blueprint.names.len() <= FEW_VEHICLES { MOST_OF_FEW } else { MOST };
    while state.clock.steps < end {
        if profile::is_on() {
            // each phase of each step is measured
            step(state, blueprint, workers)?;
            continue;
        }
        let count = quiet_steps(state, (end - state.clock.steps).min(most));
        match step_tables(state, blueprint, workers, count) {
            0 => step(state, blueprint, workers)?,
            made => *alone += made,
        }
    }
    Ok(())
}

/// Returns a number of next steps, at most `most`, in which tables will probably not depend on each
/// other.
fn quiet_steps(state: &State, most: u64) -> u64 {
    let mut quiet = most;
    for_each_part!(limit_quiet(state, &mut quiet));
    if quiet < 2 {
        // do not look at all bodies for a single step
        return 0;
    }
    let searched = CAUTION * state.physics.bodies.steps_to_search(state.clock.dt);
    quiet.min(searched as u64)
}

/// Takes up to `count` steps, table by table. Returns how many; none, without a change, if single tables cannot make
/// two.
fn step_tables(state: &mut State, blueprint: &Blueprint, workers: &Workers, count: u64) -> u64 {
    let mut count = count;
    while count >= 2 {
        let work = blueprint.names.len() * count as usize;
        let crew = workers.crew(work >= VEHICLES_FOR_THREADS);
        let Some(possible) = try_step_tables(state, blueprint, count, crew) else {
            state.clock.steps += count;
            for_each_part!(catch_up(state));
            return count;
        };
        count = possible;
    }
    0
}

/// Takes `count` steps, table by table. Returns the index of the first step that single tables
/// cannot make, after all tables have returned to the start.
fn try_step_tables(
    state: &mut State,
    blueprint: &Blueprint,
    count: u64,
    crew: Crew<'_>,
) -> Option<u64> {
    let State { tables, physics, ground, seed, limits, clock, .. } = state;
    let (start, substeps, seed) = (*clock, blueprint.substeps, *seed);
    let steps = StepsAlone { start, substeps, seed, ground, limits };
    table::for_each(crew, tables, physics, &|table, mut bodies| {
        table.kept.fill(&table.vehicles.columns, bodies);
        table.set_trial(true);
        let alone = std::slice::from_mut(table);
        let stopped = steps.run(count, alone, std::slice::from_mut(&mut bodies), &mut EndAtFirst);
        table.stopped = stopped;
        table.set_trial(false);
    });
    let first = tables.iter().filter_map(|table| table.stopped).min()?;
    return_all(crew, tables, physics);
    Some(first)
}

/// Returns to the state before several steps.
fn return_all(crew: Crew<'_>, tables: &mut [Table], physics: &mut Physics) {
    table::for_each(crew, tables, physics, &|table, bodies| {
        let kept = std::mem::take(&mut table.kept);
        table.return_to(&kept, bodies);
        table.kept = kept;
    });
}

#[cfg(test)]
mod tests {
    use super::{State, quiet_steps, try_step_tables};
    use crate::build::Options;
    use crate::commands::TimedCommand;
    use crate::limits::Limits;
    use crate::simulation::Simulation;
    use crate::tests::read;

    /// Returns vehicles of two classes that drive in circles, two of which collide after some time, with
    /// `more` elements.
    fn simulation(more: &str) -> Simulation {
        let vehicle = |index: usize, class: &str, controller: &str, pose: &str| {
            format!(
                "<vehicle name=\"v{index}\"><dynamics class=\"{class}\"><controller \
             class=\"{controller}\"><V>1.5</V><W>{}</W></controller></dynamics>\
             <init_pose>{pose}</init_pose></vehicle>",
                if index < 2 { 0 } else { 10 + index }
            )
        };
        let mut text = String::from("<mvsim_world><simul_timestep>0.005</simul_timestep>");
        for index in 0..140 {
            let pose = match index {
                0 => "-20 0 0".to_owned(),
                1 => "-14 0.3 180".to_owned(),
                _ => format!("{} {} 0", 12 * (index % 12), 12 * (index / 12)),
            };
            text += &vehicle(index, "differential", "twist_pid", &pose);
        }
        for index in 140..143 {
            let pose = format!("{} -30 0", 20 * (index - 140));
            text += &vehicle(index, "ackermann", "twist_front_steer_pid", &pose);
        }
        text = text + more + "</mvsim_world>";
        let mut simulation = Simulation::new(&read(&text), Options { seed: 1, threads: 2 })
            .expect("the world is right");
        let (vehicle, kind, values) = ("v5".into(), "twist".into(), vec![1.5, 0.0, 0.4]);
        let command = TimedCommand { time: 0.333, vehicle, kind, values };
        simulation.set_commands(&[command]).expect("the controller has the kind");
        simulation.start().expect("nothing faults");
        simulation
    }

    /// Steps two simulations for 4 s, one step at a time and several at once, and compares them. Returns
    /// the number of steps that were made at once.
    fn compare(more: &str) -> u64 {
        let (mut single, mut several) = (simulation(more), simulation(more));
        for round in 0..40 {
            // pieces of other lengths than the steps that are made at once
            let steps = 19 + round % 3;
            for _ in 0..steps {
                single.step().expect("nothing diverges");
            }
            several.run(steps).expect("nothing diverges");
            let hashes = [&single, &several].map(|one| one.state_hash().expect("no memory"));
            assert!(hashes[0] == hashes[1], "round {round}");
            assert_eq!(
                single.samples().readings().count(),
                several.samples().readings().count(),
                "round {round}"
            );
        }
        several.steps_at_once
    }

    #[test]
    fn vehicles_that_drive_apart_and_collide() {
        let at_once = compare("");
        // until the collision; single steps then follow while contacts act
        assert!(at_once > 100, "{at_once}");
    }

    #[test]
    fn substeps_and_extrapolation() {
        assert!(compare("<substeps>3</substeps>") > 100);
        assert!(compare("<integrator>extrapolated</integrator>") > 100);
    }

    #[test]
    fn samples_are_taken_in_single_steps() {
        let sensor = "<sensor class=\"laser\" name=\"standing\"><sensor_period>0.1</sensor_period>\
                  <nrays>7</nrays></sensor>";
        assert!(compare(sensor) > 50);
    }

    #[test]
    fn scenery_that_acts_excludes_steps_at_once() {
        let block = "<block name=\"box\"><mass>10</mass><init_pose>5 50 0</init_pose></block>";
        assert_eq!(compare(block), 0);
    }

    #[test]
    fn a_divergence_is_that_of_the_single_step() {
        let (mut single, mut several) = (simulation(""), simulation(""));
        for one in [&mut single, &mut several] {
            one.set_limits(Limits { speed: 1.4, ..Limits::default() });
        }
        let first = (0..4000).find_map(|_| single.step().err());
        let second = several.run(4000).err();
        let [first, second] = [first, second].map(|error| error.map(|error| error.to_string()));
        assert!(first.is_some() && first == second, "{first:?} {second:?}");
        assert!(several.steps_at_once > 0 && several.clock() == single.clock());
    }

    /// Lets the tables of one of two simulations make some steps and return, then compares both over
    /// further steps.
    fn compare_after_return(more: &str) {
        let (mut undisturbed, mut returned) = (simulation(more), simulation(more));
        // after they have accelerated, vehicles do not leave the areas of the neighbour search early
        let mut next = 113;
        for _ in 0..3 {
            while next > 0 || quiet_steps(&returned.state, 7) < 7 {
                for simulation in [&mut undisturbed, &mut returned] {
                    simulation.run(next.max(1)).expect("nothing diverges");
                }
                next = 0;
            }
            next = 13;
            let workers = returned.workers.clone();
            let crew = workers.crew(true);
            assert_eq!(
                try_step_tables(&mut returned.state, &returned.blueprint, 5, crew),
                None,
                "nothing happens in these steps"
            );
            let State { tables, physics, .. } = &mut returned.state;
            super::return_all(crew, tables, physics);
            // single steps notice numbers that have not been restored
            for simulation in [&mut undisturbed, &mut returned] {
                simulation.step().expect("nothing diverges");
            }
            let hashes = [&undisturbed, &returned].map(|one| one.state_hash().expect("no memory"));
            assert!(hashes[0] == hashes[1], "{more}");
        }
    }

    #[test]
    fn tables_return_to_an_earlier_step() {
        let vehicle = |class: &str, controller: &str, more: &str| {
            format!(
                "<vehicle name=\"more\"><init_pose>-40 -40 0</init_pose><dynamics class=\"{class}\">\
             <controller class=\"{controller}\"><V>1</V><W>9</W></controller></dynamics>{more}\
             </vehicle>"
            )
        };
        let springs = "<suspension stiffness=\"20000\" damping=\"2000\"/>";
        for more in [
            String::new(),
            "<substeps>3</substeps>".to_owned(),
            "<integrator>extrapolated</integrator>".to_owned(),
            vehicle("differential_3_wheels", "twist_pid", ""),
            vehicle("differential_4_wheels", "twist_ideal", ""),
            vehicle("ackermann", "twist_front_steer_pid", springs),
            vehicle("ackermann_drivetrain", "twist_front_steer_pid", ""),
            vehicle("differential", "twist_pid", "<friction class=\"wardiagnemma\"/>"),
            vehicle("differential", "twist_pid", "<friction class=\"ellipse\"/>"),
        ] {
            compare_after_return(&more);
        }
    }
}
