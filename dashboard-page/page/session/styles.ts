/**
 * The styles of a session, in their order.
 *
 * @module
 */
import "./session.css";
import "./lanes.css";
import "./panes.css";
import "./calls.css";
import "./turns.css";
import "./text.css";
