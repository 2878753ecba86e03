import MotionJudgement

/// The pages of help that are about no command.
enum HelpTopic: String, CaseIterable {
  case concepts
  case exitCodes = "exit-codes"
  case columns
  case faults
  case formats
  case skill

  /// What `kymo help TOPIC` prints. 80 columns, but for the skill, which agents read.
  var text: String {
    switch self {
    case .concepts: conceptsHelp()
    case .exitCodes: exitCodesHelp()
    case .columns: columnsHelp()
    case .faults: faultsHelp()
    case .formats: formatsHelp()
    case .skill: skillDocument()
    }
  }
}

private func exitCodesHelp() -> String {
  """
  kymo help exit-codes: the codes with which kymo exits

    0    done, or the answer is positive: the same, within the limits, healthy
    1    the answer is negative: different, beyond a limit, damaged, no evidence
    2    wrong usage: an unknown command, flag, key or session, a value out of its
         range, a scenario that cannot be run
    3    done with losses: some of the input was left out, or an output cannot
         carry all of it, and standard error has a line for each loss
    4    a file cannot be read or written: missing, damaged, malformed, not of its
         kind, for recordings, gesture files, labels, tolerances and requirements
    130  interrupted by control-C, and nothing is half written

  If several apply, the first of 2, 4 (nothing could be read), 1 and 3 counts.

  """
}

/// The faults of `kymo watch`, a line each.
private func faultsHelp() -> String {
  var text = "kymo help faults: what is wrong in any design, by id and name\n\n"
  for fault in MotionFault.all {
    text += "  \(fault.id.padded(to: 18))\(fault.name)\n    \(fault.condition)\n"
  }
  return text
    + "\nRows of watch have the id as what. kymo help faults --json prints rows.\n"
}

/// One line for each word of the article "Concepts".
private func conceptsHelp() -> String {
  let words: KeyValuePairs = [
    "recording": "one .kymo file, an SQLite database of one session or more",
    "session": "a stretch of recording with one clock: FILE#SESSION, from 1",
    "display frame": "one refresh of the display",
    "transition": "the change from one layout to another, numbered from 0",
    "phase": "idle, driving (by touches) or settling (by itself)",
    "progress": "how far a transition has come: 0 old layout, 1 new layout",
    "key": "a named number that changes: progress, item.ID.alpha",
    "sample": "one recorded value of a key, with its time",
    "element": "anything on screen with an identity, in flags called item",
    "pose": "position, size, transform, alpha of an element in a frame",
    "packed": "samples and poses in blocks instead of rows",
    "engine": "a model of UIKit's collection views, without a screen",
    "scenario": "a JSON file for the engine: elements, layouts, rule, spring",
    "report": "the HTML file of kymo report, which plays a session",
    "touch": "one report of a finger, whose contacts are numbered from 0",
    "gesture": "all touches from the first landing to the last lift",
    "lift": "the touch that ends a gesture",
    "release": "the moment at which driving ends and the outcome is decided",
    "derived": "of a release: found from the lift, the event or the phases",
    "decision": "the outcome of a release: finish or cancel",
    "release rule": "the formula that decides, often with a threshold",
    "margin": "how far a decision was from the other outcome",
    "estimate": "a velocity at a release, with its 90 % interval",
    "estimator": "the formula of an estimate",
    "window": "which samples count for an estimate",
    "preset": "the window and estimator of a platform: android, gnome, …",
    "settle": "the motion from the release to the target",
    "remaining": "the target minus the value at the release",
    "relative velocity": "the velocity divided by the remaining distance, per second",
    "at rest": "near the target, according to a definition of rest",
    "hitch": "a frame that came late",
    "fault": "motion that would be wrong in almost any design",
    "golden session": "the session with which kymo check compares others",
    "limit": "how much a session may differ from its golden session",
    "requirement": "a statement about motion without a golden session",
    "failure": "a limit or a requirement that a session does not meet",
    "label": "the outcome that a person meant: finish, cancel or unsure",
  ]
  var text = "kymo help concepts: the words of recordings and commands\n\n"
  for (word, meaning) in words {
    text += "  " + word.padded(to: 18) + meaning + "\n"
  }
  return text + "\nThe article \"Concepts\" of the manual explains each of them.\n"
}
