//! Puzzles for fuzzed moves and transcripts: one for each kind of notation.

pub const PUZZLES: [&str; 12] = [
    "title = \"t\"\ndomain = \"sliding-tile\"\nstart = \"\"\"\n4 1 3\n0 2 6\n7 5 8\n\"\"\"\n",
    "title = \"t\"\ndomain = \"sliding-tile\"\nmetric = \"multi\"\nstart = \"\"\"\n1 2 3 4\n0 5 6 7\n\"\"\"\n",
    "title = \"t\"\ndomain = \"sliding-tile\"\nsurface = \"projective-plane\"\nstart = \"\"\"\n1 0\n3 2\n\"\"\"\n",
    "title = \"t\"\ndomain = \"sliding-tile\"\nsurface = \"torus\"\nstart = \"1 2 3 4 5 6 7 8 9 0 11 10\"\n",
    "title = \"t\"\ndomain = \"klotski\"\nstart = \"\"\"\naab\nc.b\n..=\n\"\"\"\ngoal = \"\"\"\n...\n...\n.aa\n\"\"\"\n",
    "title = \"t\"\ndomain = \"klotski\"\nmetric = \"turn\"\nstart = \"\"\"\na.b\n..b\nc.=\n\"\"\"\ngoal = \"\"\"\n...\na..\n..c\n\"\"\"\n",
    "title = \"t\"\ndomain = \"klotski\"\nmetric = \"step\"\nrows = 3\ncolumns = 4\ngoal = { s = [2, 3] }\n[shapes]\ns = [\"#\"]\n\
     [pieces]\nul1 = { shape = \"s\", at = [0, 0] }\nu = { shape = \"s\", at = [0, 1] }\n\"é\" = { shape = \"s\", at = [1, 1] }\n",
    "title = \"t\"\ndomain = \"permutation\"\nsolved = \"aabc\"\nstart = \"baca\"\n[moves]\nR = \"(1 2 3)\"\n\"Ré\" = \"(3 4)\"\n",
    "title = \"t\"\ndomain = \"permutation\"\nsolved = [1, 2, 3, 4]\nstart = [2, 3, 4, 1]\nmetric = \"generator\"\n\
     layout = \"\"\"\n1 2\n4 3\n\"\"\"\n[moves]\nR = \"(1 2 3 4)\"\nT = \"(3 4)\"\n",
    "title = \"t\"\ndomain = \"maze\"\nmap = \"\"\"\nS.#9\n.2..\n#..G\n\"\"\"\n",
    "title = \"t\"\ndomain = \"maze\"\nmoves = \"diagonal\"\nmap = \"\"\"\nS.#9\n.2..\n#..G\n\"\"\"\n",
    "title = \"t\"\ndomain = \"word-ladder\"\nstart = \"cat\"\ngoal = \"dög\"\nwords = [\"cat\", \"cot\", \"cog\", \"dog\", \"dög\", \"cart\", \"ca\", \"u1\"]\n",
];
