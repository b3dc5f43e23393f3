//! The collision layers.

use super::cursor::Cursor;
use super::{Reader, quoted};
use crate::game::Layer;

/// Nested properties are followed this deep.
const MAX_DEPTH: usize = 50;

impl Reader {
    /// Reads a token of the collision layers: one line is one layer, names are parted by commas or spaces.
    pub(super) fn layer(&mut self, cursor: &mut Cursor, first: bool) {
        if first {
            self.game.layers.push(Layer { at: self.at, objects: Vec::new() });
            self.words.clear();
            self.step = 0;
        }
        let Some(name) = cursor.name() else {
            if cursor.take_while(|character| character == ' ' || character == ',').is_empty() {
                let found = cursor.advance().map_or_else(String::new, String::from);
                self.diagnostics
                    .error(self.at, format!("unexpected character {} in a collision layer", quoted(&found)));
            }
            return;
        };
        // The background alone in its layer: step 1 means that it is in this one.
        if name == "background" {
            if self.game.layers.last().is_some_and(|layer| !layer.objects.is_empty()) {
                self.diagnostics.error(self.at, "`background` must be alone in its layer");
            }
            self.step = 1;
        } else if self.step != 0 {
            self.diagnostics.error(self.at, "`background` must be alone in its layer");
        }
        let mut objects = Vec::new();
        self.layer_objects(&name, &name, &mut objects, MAX_DEPTH);
        let Some((last, before)) = self.game.layers.split_last_mut() else {
            return self.diagnostics.error(self.at, "no collision layer is open here");
        };
        let elsewhere: Vec<String> = objects
            .iter()
            .flat_map(|object| {
                let layers = before.iter().enumerate().filter(|(_, layer)| layer.objects.contains(object));
                layers.map(|(index, _)| (index + 1).to_string())
            })
            .collect();
        if !elsewhere.is_empty() {
            let message = format!("{} is also in layer {}: its last layer counts", quoted(&name), elsewhere.join(", "));
            self.diagnostics.warning(self.at, message);
        }
        if self.words.contains(&name) {
            self.diagnostics.warning(self.at, format!("{} occurs twice in one layer", quoted(&name)));
        }
        last.objects.extend(objects);
        self.words.push(name);
    }
}
