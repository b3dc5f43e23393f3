//! The collision layers.

use super::cursor::Cursor;
use super::{Reader, quoted};
use crate::game::Layer;

/// Other layers of an object that a warning names.
const MAX_LISTED: usize = 10;

/// Nested properties are followed this deep.
const MAX_DEPTH: usize = 50;

impl Reader {
    /// Reads a token of the collision layers: one line is one layer, names are parted by commas or spaces.
    pub(super) fn layer(&mut self, cursor: &mut Cursor, first: bool) {
        if first {
            self.game.layers.push(Layer { at: self.at, objects: Vec::new() });
            self.seen.clear();
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
        let layer = self.game.layers.len();
        let Some(last) = self.game.layers.last_mut() else {
            return self.diagnostics.error(self.at, "no collision layer is open here");
        };
        let listed = objects.iter().filter_map(|object| self.layers_of.get(object)).flatten();
        let mut elsewhere: Vec<String> =
            listed.filter(|&&other| other != layer).take(MAX_LISTED + 1).map(usize::to_string).collect();
        if elsewhere.len() > MAX_LISTED {
            elsewhere[MAX_LISTED] = "…".to_owned();
        }
        if !elsewhere.is_empty() {
            let message = format!("{} is also in layer {}: its last layer counts", quoted(&name), elsewhere.join(", "));
            self.diagnostics.warning(self.at, message);
        }
        for object in &objects {
            let layers = self.layers_of.entry(object.clone()).or_default();
            if layers.last() != Some(&layer) {
                layers.push(layer);
            }
        }
        last.objects.extend(objects);
        if !self.seen.insert(name.clone()) {
            self.diagnostics.warning(self.at, format!("{} occurs twice in one layer", quoted(&name)));
        }
    }
}
