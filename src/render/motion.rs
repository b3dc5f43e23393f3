//! Animated vector graphics: one drawing of the start, and a style sheet that moves its parts.
//!
//! Each actor that changes has its own keyframes over the whole film, so films loop within an `<img>` without a script.
//! A viewer without animation, or one that prefers reduced motion, shows the start.

use super::change::{Change, Spot};
use super::outline::number;
use super::paths::lengths;
use super::svg::{LINE, Stage};
use super::theme::hex;
use super::timeline::Timeline;
use crate::picture::Form;
use crate::plot::svg::{Attribute, Svg};
use std::fmt::Write as _;

/// The greatest number of positions shown of a longer solution.
const MAX_SHOWN: usize = 500;

/// An actor at one moment.
#[derive(Clone, Copy)]
struct State {
    at: (f64, f64),
    opacity: u8,
    spot: Spot,
}

/// Returns a drawing that plays the whole film.
pub(super) fn animated(stage: &Stage, pixels: (f64, f64), speed: f64) -> String {
    let film = stage.film;
    if film.moves() == 0 {
        return stage.still(0, pixels);
    }
    let timeline = Timeline::new(film.moves(), MAX_SHOWN, speed);
    let mut parts: Vec<Vec<(usize, Change)>> = vec![Vec::new(); film.actors.len()];
    for (number, pair) in (1..).zip(timeline.shown.windows(2)) {
        for change in film.changes(pair[0], pair[1]) {
            parts[change.actor].push((number, change));
        }
    }
    let mut rules = format!("\n{}", sheet(&timeline));
    let mut svg = stage.open(pixels);
    let (mut trails, mut actors) = (Svg::default(), Svg::default());
    let here = film.spots(0);
    // Where positions are left out, tokens move at constant speed from end to end.
    let flows = |actor: usize| !timeline.is_smooth && film.actors[actor].form == Form::Token;
    for (number_of, (actor, spots)) in film.trails(film.moves()).iter().enumerate() {
        let name = format!("t{number_of}");
        let attributes: [Attribute; 4] =
            [("id", &name), ("visibility", &"hidden"), ("pathLength", &1), ("stroke-dasharray", &1)];
        stage.trail(&mut trails, spots, &attributes);
        rules += &drawing(stage, &name, spots, &timeline, flows(*actor));
    }
    for (actor, part) in parts.iter().enumerate() {
        let first = film.actors[actor].first;
        let place = stage.exact(first.at);
        let name = format!("a{actor}");
        let attributes: [Attribute; 2] = [("id", &name), ("opacity", &0)];
        let attributes = if here[actor].is_none() { &attributes[..] } else { &attributes[..1] };
        let motion = if flows(actor) {
            constant_motion(stage, actor, &timeline)
        } else {
            rules += &keyframes(stage, actor, here[actor].is_some(), part, &timeline);
            String::new()
        };
        stage.actor(&mut actors, actor, first, place, attributes, &motion);
    }
    stage.head(&mut svg, &rules);
    stage.definitions(&mut svg);
    stage.scenery(&mut svg);
    stage.board(&mut svg, &[("id", &"actors")]).raw(&trails.finish());
    stage.letters(&mut svg);
    svg.raw(&actors.finish());
    stage.outlines(&mut svg);
    svg.close("g").line();
    captions(stage, &timeline, &mut svg);
    svg.close("svg").line();
    svg.finish()
}

/// Formats a time as a percentage of the film.
fn percent(time: f64, timeline: &Timeline) -> String {
    let text = format!("{:.3}", (100.0 * time / timeline.whole()).clamp(0.0, 100.0));
    text.trim_end_matches('0').trim_end_matches('.').to_owned() + "%"
}

/// Returns the rules that all actors share, and those of the captions, which jump from line to line.
fn sheet(timeline: &Timeline) -> String {
    let steps = timeline.shown.len() - 1;
    let (begins, ends) = (timeline.first, timeline.first + timeline.each * steps as f64);
    format!(
        "#actors>*,#captions{{animation:{:.3}s ease-in-out infinite}}\n\
         @media(prefers-reduced-motion:reduce){{#actors>*,#captions{{animation:none!important}}}}\n\
         #captions{{animation-name:captions}}@keyframes captions{{0%,{}{{transform:translateY(0);\
         animation-timing-function:steps({steps},start)}}{},100%{{transform:translateY({}px)}}}}\n",
        timeline.whole(),
        percent(begins, timeline),
        percent(ends, timeline),
        number(-(LINE * steps as f64)),
    )
}

/// Writes all captions one below the other; a clip path shows one line.
fn captions(stage: &Stage, timeline: &Timeline, svg: &mut Svg) {
    let Some(y) = stage.caption_line() else { return };
    let line: [Attribute; 3] = [("y", &number(y)), ("width", &number(stage.width)), ("height", &LINE)];
    svg.open("clipPath", &[("id", &"line")]).empty("rect", &line).close("clipPath").line();
    svg.open("g", &[("clip-path", &"url(#line)")]).open("g", &[("id", &"captions")]).line();
    for (line, &moves) in timeline.shown.iter().enumerate() {
        stage.caption_at(svg, &stage.caption_of(moves), y + LINE * line as f64);
    }
    svg.close("g").close("g").line();
}

/// Returns the keyframes of an actor over the whole film; empty if it never changes.
fn keyframes(stage: &Stage, actor: usize, is_there: bool, part: &[(usize, Change)], timeline: &Timeline) -> String {
    if part.is_empty() {
        return String::new();
    }
    let still = |spot: Spot, opacity| State { at: stage.exact(spot.at), opacity, spot };
    let mut state = still(stage.film.actors[actor].first, u8::from(is_there));
    let mut keys = vec![(0.0, state)];
    for (number, change) in part {
        let (begins, ends) = timeline.motion(*number);
        let target = change.to.map_or(State { opacity: 0, ..state }, |to| still(to, 1));
        if !timeline.is_smooth {
            keys.push((begins, target));
            state = target;
            continue;
        }
        match (&change.path, state.opacity) {
            (Some(path), 1) if change.to.is_some() => {
                keys.push((begins, state));
                let path: Vec<(f64, f64)> = path.iter().map(|&corner| stage.exact(corner)).collect();
                let lengths = lengths(&path);
                let whole: f64 = lengths.iter().sum();
                let mut travelled = 0.0;
                for (&at, length) in path[1..].iter().zip(&lengths).take(lengths.len() - 1) {
                    travelled += length;
                    keys.push((begins + (ends - begins) * travelled / whole, State { at, ..state }));
                }
            }
            (_, 1) if change.to.is_some() => {
                let middle = f64::midpoint(begins, ends);
                keys.push((begins, state));
                keys.push((middle, State { opacity: 0, ..state }));
                keys.push((middle + 0.001, State { opacity: 0, ..target }));
            }
            // It appears at its new place, or vanishes at its old one.
            (_, 0) => keys.extend([(begins - 0.001, state), (begins, State { opacity: 0, ..target })]),
            _ => keys.push((begins, state)),
        }
        keys.push((ends, target));
        state = target;
    }
    keys.push((timeline.whole(), state));
    let moves = keys.iter().any(|(_, key)| key.at != keys[0].1.at);
    let fades = keys.iter().any(|(_, key)| key.opacity != keys[0].1.opacity);
    let paints = keys.iter().any(|(_, key)| key.spot.paint != keys[0].1.spot.paint);
    let steps = if timeline.is_smooth { "" } else { ";animation-timing-function:step-end!important" };
    let mut out = format!("#a{actor}{{animation-name:a{actor}{steps}}}@keyframes a{actor}{{");
    for (time, State { at, opacity, spot }) in &keys {
        let _ = write!(out, "{}{{", percent(*time, timeline));
        if moves {
            let (x, y) = stage.place(*at);
            let _ = write!(out, "transform:translate({}px,{}px);", number(x), number(y));
        }
        if fades {
            let _ = write!(out, "opacity:{opacity};");
        }
        if paints {
            let _ = write!(out, "fill:{};", hex(stage.theme.rgb(spot.paint)));
        }
        out = out.trim_end_matches(';').to_owned() + "}";
    }
    out + "}\n"
}

/// Returns the keyframes that draw a trail as far as its actor has moved.
fn drawing(stage: &Stage, name: &str, spots: &[(usize, Spot)], timeline: &Timeline, flows: bool) -> String {
    let path: Vec<_> = spots.iter().map(|(_, spot)| stage.exact(spot.at)).collect();
    let lengths = lengths(&path);
    let whole = lengths.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    let mut out =
        format!("#{name}{{animation-name:{name}}}@keyframes {name}{{0%{{visibility:visible;stroke-dashoffset:1}}");
    let mut key = |time: f64, travelled: f64, extra: &str| {
        let _ = write!(out, "{}{{stroke-dashoffset:{:.5}{extra}}}", percent(time, timeline), 1.0 - travelled / whole);
    };
    if flows {
        let (begins, ends) = steady(timeline);
        key(begins, 0.0, ";animation-timing-function:linear");
        key(ends, whole, "");
    } else {
        let mut travelled = 0.0;
        for ((moves, _), length) in spots[1..].iter().zip(&lengths) {
            let (begins, ends) = timeline.motion(*moves);
            key(begins, travelled, "");
            travelled += length;
            key(ends, travelled, "");
        }
    }
    out + "100%{visibility:visible;stroke-dashoffset:0}}\n"
}

/// Returns the times when an actor begins and ends its motion at constant speed.
fn steady(timeline: &Timeline) -> (f64, f64) {
    (timeline.first, timeline.first + timeline.each * (timeline.shown.len() - 1) as f64)
}

/// Returns the motion of an actor that follows its whole path at constant speed.
fn constant_motion(stage: &Stage, actor: usize, timeline: &Timeline) -> String {
    let trails = stage.film.trails(stage.film.moves());
    let Some((_, spots)) = trails.iter().find(|(other, _)| *other == actor) else { return String::new() };
    let (begins, ends) = steady(timeline);
    let share = |time: f64| format!("{:.5}", time / timeline.whole());
    let origin = stage.exact(spots[0].1.at);
    let path = stage.path_through(spots.iter().map(|(_, spot)| spot.at), origin);
    let mut svg = Svg::default();
    svg.empty(
        "animateMotion",
        &[
            ("dur", &format_args!("{:.3}s", timeline.whole())),
            ("repeatCount", &"indefinite"),
            ("calcMode", &"linear"),
            ("keyPoints", &"0;0;1;1"),
            ("keyTimes", &format_args!("0;{};{};1", share(begins), share(ends))),
            ("path", &path),
        ],
    );
    svg.finish()
}
