package import TimelineModel

/// One event of an input device, with the time at which it happens.
package struct PlannedInput: Hashable, Sendable {
  /// Milliseconds from the beginning of the action.
  package var time: Double
  package var event: Event

  package enum Event: Hashable, Sendable {
    /// Fingers: those that land or move. A lift names the finger that lifts if others stay, and else none.
    case touch(TouchPhase, [Contact])
    case mouse(MouseKind, Point2D, isDown: Bool)
    /// The wheel, and how far it goes in px.
    case wheel(Point2D, Point2D)
    case key(PageKey, isDown: Bool)
  }

  /// A finger on the panel.
  package struct Contact: Hashable, Sendable {
    package var number: Int
    package var place: Point2D

    package init(number: Int, place: Point2D) { (self.number, self.place) = (number, place) }
  }

  package enum MouseKind: String, Sendable {
    case pressed = "mousePressed"
    case moved = "mouseMoved"
    case released = "mouseReleased"
  }

  /// Whether it moves a pointer, which reaches a page with a frame.
  var isMove: Bool {
    switch event {
    case .touch(let phase, _): phase == .moved
    case .mouse(let kind, _, _): kind == .moved
    case .wheel: true
    case .key: false
    }
  }

  /// Whether the browser keeps it until a frame is over before it hands it on.
  var waitsForFrame: Bool {
    switch event {
    case .touch, .wheel: true
    case .mouse, .key: false
    }
  }

  /// The request that makes it happen.
  var method: String {
    switch event {
    case .touch: "Input.dispatchTouchEvent"
    case .mouse, .wheel: "Input.dispatchMouseEvent"
    case .key: "Input.dispatchKeyEvent"
    }
  }

  /// The request's parameters.
  ///
  /// - Parameter stamp: When it happens, in seconds since 1970.
  func parameters(stamp: Double) -> [EventField] {
    var fields: [EventField]
    switch event {
    case .touch(let phase, let contacts):
      let type =
        switch phase {
        case .began: "touchStart"
        case .moved: "touchMove"
        case .ended: "touchEnd"
        case .cancelled: "touchCancel"
        }
      let points = contacts.map { contact in
        FieldValue.object(named: [
          "x": contact.place.x, "y": contact.place.y, "id": contact.number,
        ])
      }
      fields = EventField.list(["type": type, "touchPoints": FieldValue.list(points)])
    case .mouse(let kind, let place, let isDown):
      fields = EventField.list([
        "type": kind.rawValue, "x": place.x, "y": place.y, "buttons": isDown ? 1 : 0,
        "button": kind == .moved && !isDown ? "none" : "left",
        "clickCount": kind == .moved ? 0 : 1,
      ])
    case .wheel(let place, let way):
      fields = EventField.list([
        "type": "mouseWheel", "x": place.x, "y": place.y, "deltaX": way.x, "deltaY": way.y,
      ])
    case .key(let key, let isDown):
      fields = EventField.known([
        "type": isDown ? "keyDown" : "keyUp", "key": key.key, "text": isDown ? key.text : nil,
        "windowsVirtualKeyCode": key.code,
      ])
    }
    return fields + [EventField("timestamp", .number(stamp))]
  }
}
