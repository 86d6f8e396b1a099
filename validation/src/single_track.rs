//! The linear single-track model, valid while the tyres are linear.
//!
//! m (v̇_y + v r) = F_f + F_r, I ṙ = a F_f − b F_r, F_f = −C_f ((v_y + a r)/v − δ), F_r = −C_r (v_y − b r)/v.
//! Source: P. Riekert and T. E. Schunck, "Zur Fahrmechanik des gummibereiften Kraftfahrzeugs",
//! Ingenieur-Archiv 11, 1940; as in ISO 8855 and any book on vehicle dynamics.

/// Parameters of the model.
#[derive(Clone, Copy, Debug)]
pub struct SingleTrack {
    /// Mass, kg.
    pub mass: f64,
    /// Moment of inertia about the centre of mass, kg·m².
    pub yaw_inertia: f64,
    /// Distances from the centre of mass to the front and to the rear axle, m.
    pub arms: [f64; 2],
    /// Cornering stiffness of the front and of the rear axle, N/rad.
    pub stiffness: [f64; 2],
}

/// The car of `worlds/validation/car.xml`.
pub const CAR: SingleTrack = {
    let (chassis, wheel) = (1400.0, 15.0);
    let mass = chassis + 4.0 * wheel;
    // centre of mass ahead of the rear axle
    let centre = (chassis * 1.5 + 2.0 * wheel * 2.6) / mass;
    let own = chassis * (4.2 * 4.2 + 1.7 * 1.7) / 12.0;
    let place = chassis * (1.5 - centre) * (1.5 - centre);
    let rear = 2.0 * wheel * (centre * centre + 0.75 * 0.75);
    let front = 2.0 * wheel * ((2.6 - centre) * (2.6 - centre) + 0.75 * 0.75);
    let wheels = 4.0 * wheel * (0.6 * 0.6 / 16.0 + 0.2 * 0.2 / 12.0);
    SingleTrack {
        mass,
        yaw_inertia: own + place + rear + front + wheels,
        arms: [2.6 - centre, centre],
        stiffness: [120e3, 120e3],
    }
};

impl SingleTrack {
    /// Returns the wheelbase, m.
    pub fn wheelbase(&self) -> f64 {
        self.arms[0] + self.arms[1]
    }

    /// Returns the understeer gradient: additional steering angle per lateral acceleration, rad/(m/s²).
    pub fn understeer(&self) -> f64 {
        let ([a, b], [front, rear]) = (self.arms, self.stiffness);
        self.mass / self.wheelbase() * (b / front - a / rear)
    }

    /// Returns the yaw rate per steering angle in a steady-state turn, 1/s.
    pub fn yaw_gain(&self, speed: f64) -> f64 {
        speed / (self.wheelbase() + self.understeer() * speed * speed)
    }

    /// Returns the rates of change of lateral velocity and yaw rate.
    fn rates(&self, [vy, r]: [f64; 2], speed: f64, steer: f64) -> [f64; 2] {
        let ([a, b], [front, rear]) = (self.arms, self.stiffness);
        let force_front = -front * ((vy + a * r) / speed - steer);
        let force_rear = -rear * (vy - b * r) / speed;
        let sideways = (force_front + force_rear) / self.mass - speed * r;
        [sideways, (a * force_front - b * force_rear) / self.yaw_inertia]
    }

    /// Returns the path of the reference point on the rear axle and the yaw rate at these times, by the
    /// classical Runge-Kutta method.
    pub fn drive(
        &self,
        time: &[f64],
        speed: f64,
        steer: impl Fn(f64) -> f64,
    ) -> (Vec<[f64; 2]>, Vec<f64>) {
        let rates = |[_, _, yaw, vy, r]: [f64; 5], steer: f64| {
            let [sideways, turning] = self.rates([vy, r], speed, steer);
            let rear = vy - self.arms[1] * r;
            [
                speed * yaw.cos() - rear * yaw.sin(),
                speed * yaw.sin() + rear * yaw.cos(),
                r,
                sideways,
                turning,
            ]
        };
        let mut state = [0.0; 5];
        let (mut path, mut yaw_rate) = (vec![[0.0; 2]], vec![0.0]);
        for pair in time.windows(2) {
            let (dt, angle) = (pair[1] - pair[0], steer(pair[0]));
            let ahead = |rate: [f64; 5], by: f64| std::array::from_fn(|k| state[k] + by * rate[k]);
            let k1 = rates(state, angle);
            let k2 = rates(ahead(k1, 0.5 * dt), angle);
            let k3 = rates(ahead(k2, 0.5 * dt), angle);
            let k4 = rates(ahead(k3, dt), angle);
            for k in 0..5 {
                state[k] += dt / 6.0 * (k1[k] + 2.0 * k2[k] + 2.0 * k3[k] + k4[k]);
            }
            path.push([state[0], state[1]]);
            yaw_rate.push(state[4]);
        }
        (path, yaw_rate)
    }
}
