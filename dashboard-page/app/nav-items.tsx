/**
 * The entries of the dashboard that the page is at home in. Here they only
 * show where the page stands; none of them is ours.
 *
 * @module
 */
import type { ReactElement, ReactNode } from "react";

const icon = (path: ReactNode): ReactElement => (
  <svg viewBox="0 0 18 18" aria-hidden="true">{path}</svg>
);

/** Sections, each with its entries: label and icon. */
export const NAV: readonly (readonly [
  section: string,
  items: readonly (readonly [label: string, icon: ReactElement])[],
])[] = [
  ["Overview", [
    [
      "Dashboard",
      icon(
        <path d="M2.5 1h4A1.5 1.5 0 018 2.5v4A1.5 1.5 0 016.5 8h-4A1.5 1.5 0 011 6.5v-4A1.5 1.5 0 012.5 1zM11.5 1h4A1.5 1.5 0 0117 2.5v4A1.5 1.5 0 0115.5 8h-4A1.5 1.5 0 0110 6.5v-4A1.5 1.5 0 0111.5 1zM2.5 10h4A1.5 1.5 0 018 11.5v4A1.5 1.5 0 016.5 17h-4A1.5 1.5 0 011 15.5v-4A1.5 1.5 0 012.5 10zM11.5 10h4a1.5 1.5 0 011.5 1.5v4a1.5 1.5 0 01-1.5 1.5h-4a1.5 1.5 0 01-1.5-1.5v-4a1.5 1.5 0 011.5-1.5z" />,
      ),
    ],
  ]],
  ["Automation", [
    [
      "Workflows",
      icon(
        <>
          <circle cx="4" cy="4" r="2.5" />
          <circle cx="14" cy="9" r="2.5" />
          <circle cx="4" cy="14" r="2.5" />
          <path d="M6.5 4H11v4.5M6.5 14H11V9.5" />
        </>,
      ),
    ],
    ["Executions", icon(<path d="M3 3v12h12M6 12l3-4 3 2 3-5" />)],
    [
      "Models",
      icon(
        <>
          <rect x="2" y="3" width="14" height="12" rx="2" />
          <path d="M6 7h6M6 10h4" />
        </>,
      ),
    ],
  ]],
  ["Operations", [
    [
      "Schedules",
      icon(
        <>
          <circle cx="9" cy="9" r="7" />
          <path d="M9 5v4l2.5 2.5" />
        </>,
      ),
    ],
    [
      "Webhooks",
      icon(
        <path d="M9 2v3M9 13v3M2 9h3M13 9h3M4.2 4.2l2.1 2.1M11.7 11.7l2.1 2.1M4.2 13.8l2.1-2.1M11.7 6.3l2.1-2.1" />,
      ),
    ],
    [
      "Approvals",
      icon(<path d="M9 2l7 4v6l-7 4-7-4V6zM2 6l7 4 7-4M9 10v8" />),
    ],
  ]],
  ["System", [
    [
      "Data",
      icon(
        <>
          <rect x="2" y="2" width="14" height="14" rx="2" />
          <path d="M2 6h14M6 6v10" />
        </>,
      ),
    ],
    [
      "Vaults",
      icon(
        <>
          <rect x="4" y="2" width="10" height="14" rx="2" />
          <circle cx="9" cy="9" r="2" />
          <path d="M9 2v5M9 11v5" />
        </>,
      ),
    ],
    ["Extensions", icon(<path d="M3 5h12M3 9h12M3 13h8" />)],
    [
      "System",
      icon(
        <>
          <circle cx="9" cy="9" r="7" />
          <circle cx="9" cy="9" r="3" />
        </>,
      ),
    ],
  ]],
];
