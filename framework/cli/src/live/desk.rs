//! What clients ask of a session that only the thread that steps it can do.

use std::collections::VecDeque;
use std::sync::mpsc::Receiver;

use simhost::{Session, Snapshot};
use simhost_live::SessionRequest;
use simhost_web::SessionQuestion;

use crate::diagnostics;

/// Snapshots that are kept; the oldest ones are dropped.
const MOST: usize = 20;

/// Carries out what clients ask of a session, and keeps their snapshots.
pub struct Desk {
    questions: Receiver<SessionQuestion>,
    snapshots: VecDeque<(String, Snapshot)>,
    /// Number of snapshots so far.
    count: usize,
}

impl Desk {
    /// Takes questions from now on.
    pub fn new(questions: Receiver<SessionQuestion>) -> Self {
        Self { questions, snapshots: VecDeque::new(), count: 0 }
    }

    /// Carries out what has been asked since the last call.
    pub fn attend(&mut self, session: &mut Session) {
        while let Ok(SessionQuestion { request, reply }) = self.questions.try_recv() {
            let answer = match request {
                SessionRequest::Snapshot => self.snapshot(session),
                SessionRequest::Restore(name) => self.restore(&name, session),
                SessionRequest::SaveWorld(poses) => {
                    session.world().saved(&poses).map_err(|error| text_of(&error))
                }
            };
            // the client may be gone
            let _ = reply.send(answer);
        }
    }

    /// Keeps the present state. Returns its name, which begins with its time.
    fn snapshot(&mut self, session: &mut Session) -> Result<String, String> {
        let snapshot = session.snapshot().map_err(|error| text_of(&error))?;
        self.count += 1;
        let name = format!("{:.3} s, number {}", session.time().0, self.count);
        if self.snapshots.len() == MOST {
            self.snapshots.pop_front();
        }
        self.snapshots.push_back((name.clone(), snapshot));
        Ok(name)
    }

    fn restore(&self, name: &str, session: &mut Session) -> Result<String, String> {
        let found = self.snapshots.iter().find(|(known, _)| known == name);
        let Some((_, snapshot)) = found else {
            let known: Vec<&str> = self.snapshots.iter().map(|(name, _)| name.as_str()).collect();
            let expected = if known.is_empty() {
                "one, but none is kept".to_owned()
            } else {
                known.join("; ")
            };
            return Err(format!("unknown snapshot: '{name}'; expected {expected}"));
        };
        session.restore(snapshot).map_err(|error| text_of(&error))?;
        Ok(String::new())
    }
}

fn text_of(error: &simhost::Error) -> String {
    diagnostics::plain_text(error)
}
