//! Faults of the robots as a part of a simulation.

use crate::blueprint::Blueprint;
use crate::result_hash::Items;
use crate::robot_faults::{OldRobots, RobotFaults};
use crate::state::State;
use crate::step::continuation::{Continuation, TakeOverError};
use crate::step::part::{Part, StepError};
use crate::workers::Workers;

impl Part for RobotFaults {
    fn start(of: &mut State, _: &Blueprint) -> Result<(), StepError> {
        of.robot_faults.start(of.clock.time(), of.seed);
        of.update_robot_faults();
        Ok(())
    }

    /// Starts and ends the faults that take effect with the next step.
    #[inline]
    fn finish(of: &mut State, _: &Blueprint, _: &Workers) -> Result<(), StepError> {
        of.update_robot_faults();
        Ok(())
    }

    fn quiet_steps(of: &State, most: u64) -> u64 {
        (0..most).take_while(|step| !of.robot_faults.is_due(&of.after(*step))).count() as u64
    }

    fn catch_up(of: &mut State) {
        of.update_robot_faults();
    }

    fn add_results(of: &State, blueprint: &Blueprint, items: &mut Items) {
        of.robot_faults.add_results(&blueprint.names, items);
    }

    /// Nothing: effects act on what the other parts have taken over.
    fn take_over(
        _: &mut State,
        _: &Blueprint,
        _: &mut Continuation<'_>,
    ) -> Result<(), TakeOverError> {
        Ok(())
    }

    fn resume(
        of: &mut State,
        blueprint: &Blueprint,
        from: &mut Continuation<'_>,
    ) -> Result<(), TakeOverError> {
        let old = from.old;
        of.robot_faults.take_over(
            &blueprint.names,
            &mut of.tables,
            &mut of.sensors,
            OldRobots {
                faults: &old.robot_faults,
                names: &from.old_blueprint.names,
                tables: &old.tables,
                sensors: &old.sensors,
            },
        );
        Ok(())
    }
}
