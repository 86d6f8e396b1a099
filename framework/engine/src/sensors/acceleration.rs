//! Casting the rays of all sensors that are due together, on an engine in place of the CPU.
//!
//! The engine finds the first triangle along each ray; what the triangle means is resolved here, and every sensor
//! then reads its returns as if it had cast its own rays. Sensors whose readings have an influence on the state
//! stay on the CPU unless the engine is required, so that results do not depend on it.

mod patterns;
mod plan;

use simhost_sensing::{Placed, Tessellation, TriangleHit};

use super::group::SensorGroup;
use super::spatial::is_fixed;
use crate::moment::Moment;
use crate::scan_engine::{ScanEngine, ScanError, ScanFallback, ScanPose};
use crate::surroundings::Surroundings;
use crate::table::Table;
use crate::workers::Crew;
use patterns::Patterns;
use plan::{Job, Use};

/// Reach of endless walls for sensors that see further, m. Those are cast on the CPU.
const LONGEST: f64 = 1000.0;

/// An engine and what it knows.
pub(super) struct Acceleration {
    /// The engine, unless it has failed.
    engine: Option<Box<dyn ScanEngine>>,
    pub device: String,
    /// Whether its failure ends the run, and readings that have an influence on the state come from it.
    is_required: bool,
    scene: Option<Tessellation>,
    /// What moves, and the part of it that sensors see which see no bodies.
    moving: [Vec<Placed>; 2],
    patterns: Patterns,
    /// What casts the rays of each sensor.
    uses: Vec<Use>,
    pub fallback: Option<ScanFallback>,
    poses: Vec<ScanPose>,
    hits: Vec<TriangleHit>,
}

impl Acceleration {
    /// Creates the use of an engine by `sensors` sensors.
    pub fn new(engine: Box<dyn ScanEngine>, is_required: bool, sensors: usize) -> Self {
        Self {
            device: engine.name(),
            engine: Some(engine),
            is_required,
            scene: None,
            moving: Default::default(),
            patterns: Patterns::default(),
            uses: vec![Use::Unknown; sensors],
            fallback: None,
            poses: Vec::new(),
            hits: Vec::new(),
        }
    }

    /// Returns whether the engine is in use.
    pub fn is_active(&self) -> bool {
        self.engine.is_some()
    }

    /// Returns the reason why the CPU casts the rays of a sensor of a group, or `None` if the engine does.
    pub fn reason(&self, sensor: usize, group: &SensorGroup) -> Option<&'static str> {
        group.reason_for_cpu(self.is_required).or_else(|| self.uses[sensor].reason())
    }

    /// Casts the rays of the groups that have been aimed.
    ///
    /// # Errors
    /// [`ScanError`] if the engine has failed and is required.
    pub fn scan(
        &mut self,
        groups: &mut [SensorGroup],
        tables: &[Table],
        moment: &Moment,
        crew: Crew<'_>,
    ) -> Result<(), ScanError> {
        let Some(surroundings) = moment.surroundings() else { return Ok(()) };
        let jobs = self.jobs(groups, tables);
        if jobs.is_empty() {
            return Ok(());
        }
        let Some(mut engine) = self.engine.take() else { return Ok(()) };
        match self.cast(&mut *engine, jobs, groups, surroundings, crew) {
            Ok(()) => self.engine = Some(engine),
            Err(error) if self.is_required => return Err(error),
            Err(error) => {
                let (step, time) = (moment.clock.steps, moment.clock.time());
                self.fallback = Some(ScanFallback { step, time, reason: error.text });
            }
        }
        Ok(())
    }

    /// Returns the rays of all sensors that the engine can cast.
    fn jobs(&mut self, groups: &mut [SensorGroup], tables: &[Table]) -> Vec<Job> {
        let mut jobs = Vec::new();
        for (number, group) in groups.iter_mut().enumerate() {
            let is_due = group.is_fresh() && group.casts_rays();
            if !is_due || group.reason_for_cpu(self.is_required).is_some() {
                continue;
            }
            for lane in 0..group.members.len() {
                let now = &mut self.uses[group.members[lane].sensor];
                if matches!(now, Use::Cpu(_)) {
                    continue;
                }
                let Some(request) = group.request(lane, tables) else { continue };
                let job = Job { group: number, lane, request };
                now.follow(&job, group.directions(lane), &mut self.patterns);
                if matches!(now, Use::Engine(_)) {
                    jobs.push(job);
                }
            }
        }
        jobs
    }

    fn cast(
        &mut self,
        engine: &mut dyn ScanEngine,
        mut jobs: Vec<Job>,
        groups: &mut [SensorGroup],
        surroundings: &Surroundings,
        crew: Crew<'_>,
    ) -> Result<(), ScanError> {
        self.place(engine, &jobs, surroundings)?;
        if let Some(patterns) = self.patterns.take_new() {
            engine.set_patterns(patterns)?;
        }
        let Some(scene) = &self.scene else { return Ok(()) };
        jobs.retain(|job| job.is_covered(scene, surroundings));
        let (all, few): (Vec<Job>, Vec<Job>) =
            jobs.into_iter().partition(|job| job.request.see_bodies);
        for (jobs, moving) in [all, few].into_iter().zip(&self.moving) {
            if jobs.is_empty() {
                continue;
            }
            self.poses.clear();
            for job in &jobs {
                let sensor = groups[job.group].members[job.lane].sensor;
                if let Use::Engine(patterns) = &self.uses[sensor] {
                    job.add_to(patterns, &mut self.poses);
                }
            }
            self.hits.clear();
            engine.scan(moving, &self.poses, &mut self.hits)?;
            let expected: usize = jobs.iter().map(|job| groups[job.group].rays()).sum();
            if self.hits.len() != expected {
                let found = self.hits.len();
                let text = format!("the engine returned {found} hits; expected {expected}");
                return Err(ScanError { text });
            }
            let mut rest = &self.hits[..];
            for job in &jobs {
                let group = &mut groups[job.group];
                let (hits, others) = rest.split_at(group.rays());
                rest = others;
                group.take(job.lane, &job.request, hits, (scene, moving), surroundings, crew);
            }
        }
        Ok(())
    }

    /// Brings the scene of the engine up to the present state.
    fn place(
        &mut self,
        engine: &mut dyn ScanEngine,
        jobs: &[Job],
        surroundings: &Surroundings,
    ) -> Result<(), ScanError> {
        let space = surroundings.space();
        let [moving, few] = &mut self.moving;
        let is_known = self.scene.as_ref().is_some_and(|scene| scene.place_moving(space, moving));
        if !is_known {
            let reach = jobs.iter().map(Job::reach).filter(|reach| *reach <= LONGEST);
            let scene = space.tessellate(reach.fold(0.0, f64::max).max(1.0));
            engine.load(&scene.meshes, &scene.fixed)?;
            scene.place_moving(space, moving);
            self.scene = Some(scene);
        }
        few.clear();
        few.extend(moving.iter().filter(|one| is_fixed(one.number, surroundings)));
        Ok(())
    }
}

#[cfg(test)]
mod tests;
