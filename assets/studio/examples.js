// What a new puzzle may begin with.
const EXAMPLES = {
  "Empty": `title = ""
domain = ""
start = """
"""
`,
  "Rush Hour card": `title = "My card"
domain = "klotski"
metric = "slide"
moves = "lengthwise"
start = """
..aabb
..c..d
xxc..d
..c..d
....ee
ffgg..
"""
goal = """
......
......
....xx
......
......
......
"""
`,
  "Sokoban level": `; My level
#######
#.@   #
# $ $ #
#   . #
#######
`,
  "PuzzleScript game": `title My game

========
OBJECTS
========

Background
Green

Wall
Brown

Crate
Orange

Target
DarkBlue

Player
White

=======
LEGEND
=======

. = Background
# = Wall
P = Player
* = Crate
O = Target
@ = Crate and Target

======
SOUNDS
======

================
COLLISIONLAYERS
================

Background
Target
Player, Wall, Crate

======
RULES
======

[ > Player | Crate ] -> [ > Player | > Crate ]

==============
WINCONDITIONS
==============

All Target on Crate

=======
LEVELS
=======

#######
#P....#
#..*O.#
#.....#
#######

#######
#O.*P.#
#.#.*.#
#....O#
#######
`,
  "Sliding tiles": `title = "My tiles"
domain = "sliding-tile"
start = """
1 2 3
4 . 6
7 5 8
"""
`,
  "Maze": `title = "My maze"
domain = "maze"
map = """
#######
#S..#.#
#.#...#
#...#G#
#######
"""
`,
  "Own rules": `title = "My rules"
domain = "rules"
start = "ff.tt"
goal = "tt.ff"

# Each rule changes one place in the drawing that is like \`from\` into \`to\`.
[[rules]]
name = "frog steps"
from = "f."
to = ".f"

[[rules]]
name = "frog leaps"
from = "ft."
to = ".tf"

[[rules]]
name = "toad steps"
from = ".t"
to = "t."

[[rules]]
name = "toad leaps"
from = ".ft"
to = "tf."
`,
};
