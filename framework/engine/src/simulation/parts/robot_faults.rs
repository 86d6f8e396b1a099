//! Faults of the robots as a part of a simulation.

use crate::result_hash::Items;
use crate::robot_faults::RobotFaults;
use crate::simulation::continuation::{Continuation, TakeOverError};
use crate::simulation::part::Part;
use crate::simulation::{Simulation, StepError};

impl Part for RobotFaults {
    fn start(of: &mut Simulation) -> Result<(), StepError> {
        of.robot_faults.start(of.clock.time(), of.seed);
        of.update_robot_faults();
        Ok(())
    }

    /// Starts and ends the faults that take effect with the next step.
    #[inline]
    fn finish(of: &mut Simulation) -> Result<(), StepError> {
        of.update_robot_faults();
        Ok(())
    }

    fn quiet_steps(of: &Simulation, most: u64) -> u64 {
        (0..most).take_while(|step| !of.robot_faults.is_due(&of.after(*step))).count() as u64
    }

    fn catch_up(of: &mut Simulation) {
        of.update_robot_faults();
    }

    fn add_results(of: &Simulation, items: &mut Items) {
        of.robot_faults.add_results(&of.names, items);
    }

    /// Nothing: effects act on what the other parts have taken over.
    fn take_over(_: &mut Simulation, _: &mut Continuation<'_>) -> Result<(), TakeOverError> {
        Ok(())
    }

    fn resume(of: &mut Simulation, from: &mut Continuation<'_>) -> Result<(), TakeOverError> {
        let old = from.old;
        of.robot_faults.take_over(
            (&old.robot_faults, &old.names),
            &of.names,
            (&mut of.tables, &old.tables),
            (&mut of.sensors, &old.sensors),
        );
        Ok(())
    }
}
