use simhost_sdk::prelude::*;

/// Servo with stiction: follows the command with a lag, dy/dt = (u − y)/τ, and stays where it is while
/// the command is closer than a threshold.
#[derive(Params)]
pub struct TemplateName {
    /// Time constant τ. A larger value makes the servo slower.
    #[param(default = 0.2, above = 0.0, unit = "s")]
    time_constant: f64,
    /// Distance from the command within which the servo rests, in the unit of the port. A larger value
    /// makes it less precise.
    #[param(default = 0.01, range = 0.0..)]
    threshold: f64,
}

/// Position of the servo.
#[derive(State)]
pub struct Servo {
    /// Output of the last step, in the unit of the port.
    #[state(unit = "1")]
    pub position: f64,
}

#[model]
impl Actuator for TemplateName {
    fn actuate(&self, command: f64, _: &(), step: &Step, servo: &mut Servo) -> f64 {
        let distance = command - servo.position;
        // exact for a step of any length
        let share = 1.0 - math::exp(-step.dt / self.time_constant);
        servo.position += if distance.abs() > self.threshold { share * distance } else { 0.0 };
        servo.position
    }
}

export_plugin! { vendor: "template_vendor", actuator: { "template_name" => TemplateName } }
